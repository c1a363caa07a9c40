/// A regular expression, of which texts are made that match it.
struct RegexSample {
  /// How often an open quantifier repeats at most, beyond its minimum.
  private static let openRepetitions = 10
  /// Anchors and word boundaries are not heeded, so that not every text matches.
  private static let attempts = 10

  private let pattern: TextPattern
  /// Characters of each set.
  private let scalars: [[Unicode.Scalar]]

  /// Reads a regular expression.
  ///
  /// - Throws: ``GeneratorError`` if it is malformed or not supported.
  init(_ text: String) throws(GeneratorError) {
    do {
      pattern = try TextPattern(text)
    } catch {
      throw .unsupportedRegex(text, reason: error.description)
    }
    scalars = pattern.expression.sets.map(\.samples)
  }

  /// Returns a text that matches.
  ///
  /// - Throws: ``GeneratorError`` if none was found, or the text would be longer than ``Generator/greatestSize``.
  func text(in context: GeneratorContext) throws(GeneratorError) -> String {
    for _ in 0..<Self.attempts {
      var scalars = String.UnicodeScalarView()
      var count = 0
      try append(pattern.expression.root, to: &scalars, &count, context)
      let text = String(scalars)
      if (try? pattern.matches(text)) == true { return text }
    }
    throw failure("none of \(Self.attempts) texts matched")
  }

  private func failure(_ reason: String) -> GeneratorError { .unsupportedRegex(pattern.text, reason: reason) }

  private func append(
    _ node: PatternExpression.Node,
    to scalars: inout String.UnicodeScalarView,
    _ count: inout Int,
    _ context: GeneratorContext
  ) throws(GeneratorError) {
    // Repetitions of an empty expression count too.
    count += 1
    guard count <= Generator.greatestSize else { throw failure("the text would be too long") }
    switch node {
    case .set(let index):
      let set = self.scalars[index]
      guard !set.isEmpty else { throw failure("a set is empty") }
      scalars.append(set[context.random(below: set.count)])
    case .assertion: break
    case .firstGroup(let node): try append(node, to: &scalars, &count, context)
    case .sequence(let nodes):
      for node in nodes { try append(node, to: &scalars, &count, context) }
    case .alternatives(let nodes):
      try append(nodes[context.random(below: nodes.count)], to: &scalars, &count, context)
    case .repeated(let node, let min, let max, _):
      for _ in 0..<context.random(in: min...(max ?? min + Self.openRepetitions)) {
        try append(node, to: &scalars, &count, context)
      }
    }
  }
}

extension PatternCharacters {
  private static let printable = (0x20...0x7E).compactMap { Unicode.Scalar($0) }
  /// Beyond these, no member is looked for: the scripts of Europe and the Near East, punctuation and symbols.
  private static let searched = (0...0x2FFF).compactMap { Unicode.Scalar($0) }
  private static let greatestRange: UInt32 = 1000

  /// Members: those of ranges, and of classes the letters and digits of ASCII, what else
  /// of it is printable, or some others where there are none.
  fileprivate var samples: [Unicode.Scalar] {
    let found = Self.samples(of: members)
    return found.isEmpty ? Array(Self.searched.lazy.filter(contains).prefix(100)) : found
  }

  private static func samples(of members: Members) -> [Unicode.Scalar] {
    switch members {
    case .range(let range):
      let last = min(range.upperBound.value, range.lowerBound.value + greatestRange)
      return (range.lowerBound.value...last).compactMap { Unicode.Scalar($0) }
    case .union(let members): return members.flatMap(samples)
    case .intersection(let a, let b): return samples(of: a).filter(b.contains)
    case .difference(let a, let b): return samples(of: a).filter { !b.contains($0) }
    case .folded(let members): return samples(of: members)
    case .category, .inverted:
      let found = printable.filter(members.contains)
      let words = found.filter(\.isWord)
      return words.isEmpty ? found : words
    }
  }
}
