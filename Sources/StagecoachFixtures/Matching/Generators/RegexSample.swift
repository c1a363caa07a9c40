/// A regular expression, read to generate a text that matches it.
///
/// Reads literals, classes, sets, groups, alternatives, quantifiers and anchors at the ends; look-around, back
/// references and Unicode properties are refused.
struct RegexSample {
  indirect enum Node {
    /// One of these characters.
    case set([Unicode.Scalar])
    case sequence([Node])
    case alternatives([Node])
    case repeated(Node, ClosedRange<Int>)
  }

  private let text: String
  private let root: Node

  /// Reads a regular expression.
  ///
  /// - Throws: ``GeneratorError`` if it is malformed or not supported.
  init(_ text: String) throws(GeneratorError) {
    self.text = text
    var reader = RegexSampleReader(text)
    root = try reader.expression()
  }

  /// Returns a text that matches.
  ///
  /// - Throws: ``GeneratorError`` if the text would be longer than ``Generator/greatestSize``.
  func text(in context: GeneratorContext) throws(GeneratorError) -> String {
    var scalars = String.UnicodeScalarView()
    var count = 0
    try append(root, to: &scalars, &count, context)
    return String(scalars)
  }

  private func append(
    _ node: Node,
    to scalars: inout String.UnicodeScalarView,
    _ count: inout Int,
    _ context: GeneratorContext
  ) throws(GeneratorError) {
    // Repetitions of an empty expression count too.
    count += 1
    guard count <= Generator.greatestSize else {
      throw .unsupportedRegex(text, reason: "the text would be too long")
    }
    switch node {
    case .set(let set):
      guard !set.isEmpty else { throw .unsupportedRegex(text, reason: "a set is empty") }
      scalars.append(set[context.random(below: set.count)])
    case .sequence(let nodes):
      for node in nodes { try append(node, to: &scalars, &count, context) }
    case .alternatives(let nodes):
      if !nodes.isEmpty {
        try append(nodes[context.random(below: nodes.count)], to: &scalars, &count, context)
      }
    case .repeated(let node, let range):
      for _ in 0..<context.random(in: range) { try append(node, to: &scalars, &count, context) }
    }
  }
}
