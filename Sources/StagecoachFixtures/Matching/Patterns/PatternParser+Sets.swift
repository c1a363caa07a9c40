extension PatternParser {
  typealias Members = PatternCharacters.Members

  /// Reads a set, behind its bracket.
  mutating func set() throws(TextPatternError) -> Members {
    try descend()
    defer { depth -= 1 }
    let isInverted = take("^")
    var result = try union(isFirst: true)
    while next != "]" {
      let operation = scalars[position]
      position += 2
      let other = try union(isFirst: false)
      switch operation {
      case "&": result = .intersection(result, other)
      case "-": result = .difference(result, other)
      default: result = .union([.difference(result, other), .difference(other, result)])
      }
    }
    position += 1
    return isInverted ? .inverted(result) : result
  }

  /// Reads members as far as an operator or the end of the set.
  private mutating func union(isFirst: Bool) throws(TextPatternError) -> Members {
    var members: [Members] = []
    while let scalar = next {
      // A bracket that comes first is a member, and so is what would be an operator.
      if !(isFirst && members.isEmpty), scalar == "]" || isOperator { return .union(members) }
      if take("\\Q") {
        while let scalar = next, !take("\\E") {
          members.append(folded(.scalar(scalar)))
          position += 1
        }
        continue
      }
      members.append(try member())
    }
    throw malformed("an open set")
  }

  private var isOperator: Bool { isNext("&&") || isNext("~~") || isNext("--") && !isNext("--]") }

  private mutating func member() throws(TextPatternError) -> Members {
    if let named = try posixClass() { return named }
    if take("[") { return try set() }
    let first = try element()
    guard case .range(let lower) = first, lower.lowerBound == lower.upperBound, next == "-", !isOperator,
      position + 1 < scalars.count, !"][".unicodeScalars.contains(scalars[position + 1])
    else { return folded(first) }
    let start = position
    position += 1
    guard case .range(let upper) = try element(), upper.lowerBound == upper.upperBound else {
      // Before a class, a hyphen is a member.
      position = start
      return folded(first)
    }
    guard lower.lowerBound <= upper.lowerBound else { throw malformed("an invalid range") }
    return folded(.range(lower.lowerBound...upper.lowerBound))
  }

  private mutating func element() throws(TextPatternError) -> Members {
    guard let scalar = next else { throw malformed("an open set") }
    position += 1
    guard scalar == "\\" else { return .scalar(scalar) }
    if take("b") { return .scalar("\u{8}") }
    return try escape()
  }

  /// Reads `[:name:]` or `[:^name:]`.
  private mutating func posixClass() throws(TextPatternError) -> Members? {
    guard isNext("[:") else { return nil }
    let rest = scalars[position...].dropFirst(2)
    guard let end = rest.firstIndex(of: ":"), end + 1 < scalars.count, scalars[end + 1] == "]" else {
      return nil
    }
    let isInverted = rest.first == "^"
    let name = String(String.UnicodeScalarView(rest[..<end].drop { $0 == "^" }))
    guard let category = PatternCategory(name) else { throw unsupported("the class '\(name)'") }
    position = end + 2
    let members = folded(.category(category))
    return isInverted ? .inverted(members) : members
  }

  // MARK: Escapes

  /// Reads the class or character behind a backslash.
  mutating func escape() throws(TextPatternError) -> Members {
    guard let scalar = next else { throw malformed("a lone backslash") }
    let start = position
    position += 1
    switch scalar {
    case "d": return .category(.digit)
    case "D": return .inverted(.category(.digit))
    case "w": return .category(.word)
    case "W": return .inverted(.category(.word))
    case "s": return .category(.space)
    case "S": return .inverted(.category(.space))
    case "h": return .category(.horizontalSpace)
    case "H": return .inverted(.category(.horizontalSpace))
    case "v": return .category(.verticalSpace)
    case "V": return .inverted(.category(.verticalSpace))
    case "p", "P":
      let members = folded(try property())
      return scalar == "P" ? .inverted(members) : members
    case "t": return .scalar("\t")
    case "n": return .scalar("\n")
    case "r": return .scalar("\r")
    case "f": return .scalar("\u{C}")
    case "e": return .scalar("\u{1B}")
    case "a": return .scalar("\u{7}")
    case "0": return .scalar(try number(radix: 8, atMost: 3, atLeast: 0))
    case "x": return .scalar(try number(radix: 16, atMost: 2, atLeast: 2))
    case "u": return .scalar(try number(radix: 16, atMost: 4, atLeast: 4))
    case "U": return .scalar(try number(radix: 16, atMost: 8, atLeast: 8))
    case "c":
      guard let letter = next, let scalar = Unicode.Scalar(letter.value ^ 0x40), letter.isASCII else {
        throw malformed("an invalid escape")
      }
      position += 1
      return .scalar(scalar)
    case "1"..."9", "k", "g": throw unsupported(at: start, "a back reference")
    case "X": throw unsupported(at: start, "'\\X', a character of several scalars,")
    case _ where scalar.isASCII && (scalar.properties.isAlphabetic || scalar.isDigit):
      throw unsupported(at: start, "the escape '\\\(scalar)'")
    default: return .scalar(scalar)
    }
  }

  private func unsupported(at place: Int, _ what: String) -> TextPatternError {
    var copy = self
    copy.position = place
    return copy.unsupported(what)
  }

  /// Reads `{Lu}`, `{^Lu}` or `L`.
  private mutating func property() throws(TextPatternError) -> Members {
    let start = position
    guard take("{") else {
      guard let letter = next, let category = PatternCategory(String(letter)) else {
        throw malformed("a property")
      }
      position += 1
      return .category(category)
    }
    guard let end = scalars[position...].firstIndex(of: "}") else {
      throw malformed("an open name of a property")
    }
    let isInverted = take("^")
    let name = String(String.UnicodeScalarView(scalars[position..<end]))
    guard let category = PatternCategory(name) else { throw unsupported(at: start, "the property '\(name)'") }
    position = end + 1
    return isInverted ? .inverted(.category(category)) : .category(category)
  }

  /// Reads a number that stands for a scalar: of a fixed count of digits, or in braces.
  private mutating func number(radix: Int, atMost most: Int, atLeast least: Int) throws(TextPatternError)
    -> Unicode.Scalar
  {
    let isBraced = radix == 16 && take("{")
    let most = isBraced ? 8 : most
    var digits = ""
    while let scalar = next, digits.utf8.count < most, scalar.isASCII,
      Character(scalar).hexDigitValue ?? 99 < radix
    {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    guard digits.utf8.count >= (isBraced ? 1 : least), !isBraced || take("}"),
      let scalar = UInt32(digits.isEmpty ? "0" : digits, radix: radix).flatMap(Unicode.Scalar.init)
    else { throw malformed("an invalid escape") }
    return scalar
  }
}
