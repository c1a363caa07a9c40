/// Reads a regular expression by recursive descent.
struct PatternParser {
  typealias Node = PatternExpression.Node

  // The parser and what works on its nodes are recursive.
  private static let greatestLength = 16 * 1024
  private static let greatestDepth = 50

  let text: String
  let scalars: [Unicode.Scalar]
  var position = 0
  var depth = 0
  private(set) var options = Options()
  private var sets: [PatternCharacters] = []
  private var hasGroup = false
  /// Whether the place is between `\Q` and `\E`.
  private var isQuoted = false

  /// The options that are in force at a place.
  struct Options {
    /// `i`: both cases match.
    var ignoresCase = false
    /// `m`: `^` and `$` match at line breaks.
    var hasLines = false
    /// `s`: `.` matches line breaks.
    var takesLineBreaks = false
    /// `x`: blanks and comments are not part of the expression.
    var hasComments = false
  }

  init(_ text: String) throws(TextPatternError) {
    guard text.utf8.count <= Self.greatestLength else { throw .tooLong(limit: Self.greatestLength) }
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  mutating func expression() throws(TextPatternError) -> PatternExpression {
    let root = try alternatives()
    guard position == scalars.count else { throw malformed("an unexpected ')'") }
    let size = root.size
    let limit = PatternExpression.greatestSize
    guard size <= limit else { throw .tooLarge(pattern: text, limit: limit) }
    return PatternExpression(root: root, sets: sets, size: size)
  }

  // MARK: Characters

  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  func isNext(_ text: String) -> Bool { scalars[position...].starts(with: text.unicodeScalars) }

  mutating func take(_ text: String) -> Bool {
    guard isNext(text) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  func malformed(_ reason: String) -> TextPatternError {
    .malformed(pattern: text, reason: "\(reason) at offset \(position)")
  }

  func unsupported(_ what: String) -> TextPatternError {
    .unsupported(pattern: text, what: "\(what) at offset \(position)")
  }

  mutating func descend() throws(TextPatternError) {
    depth += 1
    guard depth <= Self.greatestDepth else { throw .tooDeep(limit: Self.greatestDepth) }
  }

  private mutating func skip(to end: Unicode.Scalar) {
    position = scalars[position...].firstIndex(of: end) ?? scalars.count
  }

  private mutating func skipComments() {
    while options.hasComments, let scalar = next {
      if scalar == "#" {
        skip(to: "\n")
      } else if scalar.properties.isPatternWhitespace {
        position += 1
      } else {
        return
      }
    }
  }

  // MARK: Sequences

  private mutating func alternatives() throws(TextPatternError) -> Node {
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
  }

  private mutating func sequence() throws(TextPatternError) -> Node {
    var nodes: [Node] = []
    while true {
      if !isQuoted { skipComments() }
      guard let scalar = next, isQuoted || scalar != "|" && scalar != ")" else { break }
      if try takeWithoutNode() { continue }
      if isQuoted {
        position += 1
        nodes.append(literal(scalar))
        // A quantifier behind the end is for the last character.
        if !take("\\E") { continue }
        isQuoted = false
      } else {
        nodes.append(try atom())
      }
      skipComments()
      nodes.append(try quantified(nodes.removeLast()))
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  /// Takes a comment, options for what follows, or the start or end of quoted characters.
  private mutating func takeWithoutNode() throws(TextPatternError) -> Bool {
    if take(isQuoted ? "\\E" : "\\Q") {
      isQuoted.toggle()
      return true
    }
    guard !isQuoted else { return false }
    if take("(?#") {
      skip(to: ")")
      guard take(")") else { throw malformed("an open comment") }
      return true
    }
    let start = position
    if take("(?"), let changed = try changedOptions(), take(")") {
      options = changed
      return true
    }
    position = start
    return false
  }

  /// Reads options such as `i` or `im-s`; `nil` if there are none.
  private mutating func changedOptions() throws(TextPatternError) -> Options? {
    var changed = options
    var isOn = true
    let start = position
    while let scalar = next {
      switch scalar {
      case "i": changed.ignoresCase = isOn
      case "m": changed.hasLines = isOn
      case "s": changed.takesLineBreaks = isOn
      case "x": changed.hasComments = isOn
      // Unicode, which always is on.
      case "u", "U": break
      case "-" where isOn: isOn = false
      case ")", ":": return position > start ? changed : nil
      default:
        guard position > start, scalar.properties.isAlphabetic else { return nil }
        throw unsupported("the option '\(scalar)'")
      }
      position += 1
    }
    return nil
  }

  private mutating func atom() throws(TextPatternError) -> Node {
    guard let scalar = next else { throw malformed("the end") }
    if isRepetition { throw malformed("a quantifier without an expression") }
    position += 1
    switch scalar {
    case "(": return try group()
    case "[": return set(try self.set())
    case ".": return set(options.takesLineBreaks ? .category(.any) : .inverted(.category(.lineBreak)))
    case "^": return .assertion(options.hasLines ? .lineStart : .textStart)
    case "$": return .assertion(options.hasLines ? .lineEnd : .textEnd)
    case "\\": return try escaped()
    default: return literal(scalar)
    }
  }

  func folded(_ members: PatternCharacters.Members) -> PatternCharacters.Members {
    options.ignoresCase ? .folded(members) : members
  }

  private mutating func literal(_ scalar: Unicode.Scalar) -> Node { set(folded(.scalar(scalar))) }

  private mutating func set(_ members: PatternCharacters.Members) -> Node {
    sets.append(PatternCharacters(members))
    return .set(sets.count - 1)
  }

  private mutating func escaped() throws(TextPatternError) -> Node {
    guard let scalar = next else { throw malformed("a lone backslash") }
    switch scalar {
    case "A": return assertion(.textStart)
    case "z": return assertion(.textEnd)
    case "Z": return assertion(.lastLineEnd)
    case "b": return assertion(.wordBoundary)
    case "B": return assertion(.noWordBoundary)
    case "R":
      position += 1
      let pair = Node.sequence([set(.scalar("\r")), set(.scalar("\n"))])
      return .alternatives([pair, set(.category(.verticalSpace))])
    default: return set(folded(try escape()))
    }
  }

  private mutating func assertion(_ assertion: PatternExpression.Assertion) -> Node {
    position += 1
    return .assertion(assertion)
  }

  // MARK: Groups

  private mutating func group() throws(TextPatternError) -> Node {
    try descend()
    let outer = options
    defer { (options, depth) = (outer, depth - 1) }
    var isCapturing = true
    if take("?") {
      isCapturing = try nameOfGroup()
      if !isCapturing, !take(":") {
        switch next {
        case "=", "!": throw unsupported("look-ahead")
        case "<": throw unsupported("look-behind")
        case ">": throw unsupported("an atomic group")
        default: break
        }
        guard let changed = try changedOptions(), take(":") else {
          throw unsupported("an unknown kind of group")
        }
        options = changed
      }
    }
    let isFirst = isCapturing && !hasGroup
    hasGroup = hasGroup || isCapturing
    let node = try alternatives()
    guard take(")") else { throw malformed("an open group") }
    return isFirst ? .firstGroup(node) : node
  }

  /// Takes the name of a group, and returns whether there is one.
  private mutating func nameOfGroup() throws(TextPatternError) -> Bool {
    guard !isNext("<="), !isNext("<!") else { return false }
    guard let end: Unicode.Scalar = take("P<") || take("<") ? ">" : take("'") ? "'" : nil else {
      if isNext("P") { throw unsupported("a reference to a group") }
      return false
    }
    let start = position
    while next?.isWord == true { position += 1 }
    guard position > start, next == end, !scalars[start].isDigit else {
      throw malformed("the name of a group")
    }
    position += 1
    return true
  }

  // MARK: Quantifiers

  private func isQuantifier(_ scalar: Unicode.Scalar) -> Bool { "*+?".unicodeScalars.contains(scalar) }

  /// Whether a quantifier is next. A brace without numbers is a character.
  private var isRepetition: Bool {
    guard let next else { return false }
    var copy = self
    return isQuantifier(next) || copy.takeBounds() != nil
  }

  private mutating func quantified(_ node: Node) throws(TextPatternError) -> Node {
    let (min, max): (Int, Int?)
    if take("*") {
      (min, max) = (0, nil)
    } else if take("+") {
      (min, max) = (1, nil)
    } else if take("?") {
      (min, max) = (0, 1)
    } else if let bounds = takeBounds() {
      (min, max) = bounds
      guard max ?? min >= min else { throw malformed("an invalid number of repetitions") }
    } else {
      return node
    }
    if next == "+" { throw unsupported("a possessive quantifier") }
    let isLazy = take("?")
    if isRepetition { throw malformed("a quantifier behind another") }
    return .repeated(node, min: min, max: max, isLazy: isLazy)
  }

  /// Takes `{n}`, `{n,}`, `{,m}` or `{n,m}`.
  private mutating func takeBounds() -> (min: Int, max: Int?)? {
    let start = position
    guard take("{") else { return nil }
    let min = takeNumber()
    var max = min
    if take(",") { max = takeNumber() }
    guard take("}"), min != nil || max != nil else {
      position = start
      return nil
    }
    return (min ?? 0, max)
  }

  /// Takes a number and the blanks around it. It may be too great: the size is limited.
  private mutating func takeNumber() -> Int? {
    while take(" ") {}
    var number: Int?
    while let scalar = next, scalar.isDigit {
      number = Swift.min((number ?? 0) * 10 + Int(scalar.value - 0x30), PatternExpression.greatestSize + 1)
      position += 1
    }
    while take(" ") {}
    return number
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a digit of ASCII.
  var isDigit: Bool { ("0"..."9").contains(self) }
}
