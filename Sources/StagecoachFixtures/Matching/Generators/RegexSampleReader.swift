/// Reads a regular expression by recursive descent.
struct RegexSampleReader {
  private typealias Node = RegexSample.Node

  private let text: String
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  private static let greatestDepth = 50
  /// How often an open quantifier repeats at most, beyond its minimum.
  private static let openRepetitions = 10
  private static let printable = (0x20...0x7E).compactMap { Unicode.Scalar($0) }
  private static let digits = printable.filter { ("0"..."9").contains($0) }
  private static let words = printable.filter {
    $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_"
  }

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  mutating func expression() throws(GeneratorError) -> RegexSample.Node {
    let node = try alternatives()
    guard position == scalars.count else { throw failure("an unexpected ')'") }
    return node
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private func failure(_ reason: String) -> GeneratorError {
    .unsupportedRegex(text, reason: "\(reason) at offset \(position)")
  }

  private mutating func alternatives() throws(GeneratorError) -> Node {
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
  }

  private mutating func sequence() throws(GeneratorError) -> Node {
    var nodes: [Node] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      // Anchors match at the ends, where they are useful.
      if take("^") || take("$") { continue }
      if let node = try atom() { nodes.append(try quantified(node)) }
    }
    return .sequence(nodes)
  }

  private mutating func atom() throws(GeneratorError) -> Node? {
    guard let scalar = next else { throw failure("the end") }
    position += 1
    switch scalar {
    case "(": return try group()
    case "[": return .set(try set())
    case ".": return .set(Self.printable)
    case "\\":
      guard let escaped = next else { throw failure("a lone backslash") }
      if "AzZG".unicodeScalars.contains(escaped) {
        position += 1
        return nil
      }
      return .set(try escape())
    case "*", "+", "?", "{": throw failure("a quantifier without an expression")
    default: return .set([scalar])
    }
  }

  private mutating func group() throws(GeneratorError) -> Node {
    depth += 1
    guard depth <= Self.greatestDepth else { throw failure("too many nested groups") }
    if take("?") {
      let isNamed = take("P") || next == "<"
      if isNamed, take("<") {
        guard next != "=", next != "!" else { throw failure("look-behind") }
        while let scalar = next, scalar != ">" {
          _ = scalar
          position += 1
        }
        guard take(">") else { throw failure("an open name of a group") }
      } else if !take(":"), !take(">") {
        throw failure("look-around or an option")
      }
    }
    let node = try alternatives()
    guard take(")") else { throw failure("an open group") }
    depth -= 1
    return node
  }

  private mutating func quantified(_ node: Node) throws(GeneratorError) -> Node {
    let range: ClosedRange<Int>
    if take("*") {
      range = 0...Self.openRepetitions
    } else if take("+") {
      range = 1...(1 + Self.openRepetitions)
    } else if take("?") {
      range = 0...1
    } else if take("{") {
      range = try bounds()
    } else {
      return node
    }
    // Reluctant and possessive quantifiers match the same texts.
    if !take("?") { _ = take("+") }
    return .repeated(node, range)
  }

  private mutating func bounds() throws(GeneratorError) -> ClosedRange<Int> {
    let min = number() ?? 0
    let isRange = take(",")
    let max = isRange ? number() : min
    guard take("}"), min <= Generator.greatestSize, max ?? min <= Generator.greatestSize, max ?? min >= min
    else {
      throw failure("an invalid number of repetitions")
    }
    return min...(max ?? min + Self.openRepetitions)
  }

  private mutating func number() -> Int? {
    let start = position
    while let scalar = next, ("0"..."9").contains(scalar), position - start < 9 { position += 1 }
    return Int(String(String.UnicodeScalarView(scalars[start..<position])))
  }

  // MARK: Sets

  /// Reads the class or character after a backslash.
  private mutating func escape() throws(GeneratorError) -> [Unicode.Scalar] {
    guard let scalar = next else { throw failure("a lone backslash") }
    position += 1
    switch scalar {
    case "d": return Self.digits
    case "D": return Self.printable.filter { !Self.digits.contains($0) }
    case "w": return Self.words
    case "W": return Self.printable.filter { !Self.words.contains($0) }
    case "s": return [" "]
    case "S": return Self.printable.filter { $0 != " " }
    case "t": return ["\t"]
    case "n": return ["\n"]
    case "r": return ["\r"]
    case "x": return [try hexadecimal(2)]
    case "u": return [try hexadecimal(4)]
    case "b", "B": throw failure("a word boundary")
    default:
      let isLetterOrDigit = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      guard !isLetterOrDigit else { throw failure("an unsupported escape") }
      return [scalar]
    }
  }

  private mutating func hexadecimal(_ count: Int) throws(GeneratorError) -> Unicode.Scalar {
    let digits = String(String.UnicodeScalarView(scalars[position...].prefix(count)))
    guard digits.count == count, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
    else {
      throw failure("an invalid escape")
    }
    position += count
    return scalar
  }

  private mutating func set() throws(GeneratorError) -> [Unicode.Scalar] {
    let isInverted = take("^")
    var members: [Unicode.Scalar] = []
    var isFirst = true
    while isFirst || next != "]" {
      guard let scalar = next, scalar != "[", scalar != "&" else { throw failure("an open or nested set") }
      isFirst = false
      let first = try member()
      guard first.count == 1, next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        members += first
        continue
      }
      position += 1
      let last = try member()
      guard last.count == 1, first[0] <= last[0], last[0].value - first[0].value < 0x1_0000 else {
        throw failure("an invalid range")
      }
      members += (first[0].value...last[0].value).compactMap { Unicode.Scalar($0) }
    }
    position += 1
    return isInverted ? Self.printable.filter { !members.contains($0) } : members
  }

  private mutating func member() throws(GeneratorError) -> [Unicode.Scalar] {
    guard let scalar = next else { throw failure("an open set") }
    position += 1
    return scalar == "\\" ? try escape() : [scalar]
  }
}
