/// A regular expression as it was read.
struct PatternExpression: Sendable {
  indirect enum Node: Sendable {
    /// One of the characters of a set, by the position of the set.
    case set(Int)
    case assertion(Assertion)
    case sequence([Node])
    case alternatives([Node])
    /// A number of times; without a maximum, any number from the minimum on.
    case repeated(Node, min: Int, max: Int?, isLazy: Bool)
    /// The first group.
    case firstGroup(Node)
  }

  /// A condition on the characters before and behind.
  enum Assertion: Sendable {
    case textStart, textEnd
    /// The end of the text, or before the line break that ends it.
    case lastLineEnd
    case lineStart, lineEnd
    case wordBoundary, noWordBoundary
  }

  /// What has more instructions than this is refused.
  static let greatestSize = 200_000

  let root: Node
  let sets: [PatternCharacters]
  /// The number of instructions, without the one that ends the program.
  let size: Int
}

extension PatternExpression.Node {
  /// The number of instructions, or of steps to write them where there are none.
  var size: Int {
    switch self {
    case .set, .assertion: return 1
    case .firstGroup(let node): return Self.sum(node.size, 2)
    case .sequence(let nodes): return nodes.reduce(0) { Self.sum($0, $1.size) }
    case .alternatives(let nodes): return nodes.reduce(0) { Self.sum($0, Self.sum($1.size, 2)) }
    case .repeated(let node, let min, let max, _):
      let size = Swift.max(node.size, 1)
      return Self.sum(Self.product(min, size), Self.product(max.map { $0 - min } ?? 1, size + 2))
    }
  }

  private static func sum(_ a: Int, _ b: Int) -> Int { min(a + b, PatternExpression.greatestSize + 1) }

  private static func product(_ a: Int, _ b: Int) -> Int {
    let (product, overflows) = a.multipliedReportingOverflow(by: b)
    return overflows ? PatternExpression.greatestSize + 1 : min(product, PatternExpression.greatestSize + 1)
  }
}
