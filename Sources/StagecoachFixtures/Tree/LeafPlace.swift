/// A leaf and the way to it.
struct LeafPlace: Sendable {
  private final class Outer: Sendable {
    let place: LeafPlace

    init(_ place: LeafPlace) { self.place = place }
  }

  let tree: TextTree
  private(set) var index: Int
  private(set) var leaf: Leaf
  private let container: Outer?

  /// The leaf in whose value this one is.
  var outer: LeafPlace? { container?.place }

  /// Returns the place of a node; `nil` if that is a container.
  init?(_ tree: TextTree, _ index: Int, in outer: LeafPlace? = nil) {
    guard let leaf = tree.nodes[index].leaf else { return nil }
    self.tree = tree
    self.index = index
    self.leaf = leaf
    container = outer.map { Outer($0) }
  }

  /// Goes to another leaf of the tree.
  mutating func move(to index: Int, _ leaf: Leaf) {
    self.index = index
    self.leaf = leaf
  }

  var node: TextTree.Node { tree.nodes[index] }

  /// Whether the leaf is directly in a part of a target, such as `path` or `query`.
  func isIn(_ part: String) -> Bool {
    node.parent >= 0 && tree.nodes[node.parent].step == .parameter(part, 0)
  }

  /// The steps from the root of its tree to the leaf.
  var steps: [TextTree.Step] {
    var steps: [TextTree.Step] = []
    var index = index
    while index >= 0 {
      steps.append(tree.nodes[index].step)
      index = tree.nodes[index].parent
    }
    return steps.reversed()
  }

  /// The path, such as `$.user.pin`, `query.code[1]`, `/login/password/#text`, and behind a `>` that in an inner text.
  var path: String {
    let path = steps.reduce(into: "") { $0.append($1) }
    return outer.map { "\($0.path)>\(path)" } ?? path
  }
}

extension String {
  /// Appends a step to a path.
  fileprivate mutating func append(_ step: TextTree.Step) {
    switch step {
    case .member(let key):
      if isEmpty || last == ">" { self += "$" }
      appendKey(key)
    case .index(let index):
      if isEmpty { self += "$" }
      self += "[\(index)]"
    case .parameter(let name, let position):
      if !isEmpty { self += "." }
      self += name
      if position > 0 { self += "[\(position)]" }
    case .element(let name, let position):
      self += "/\(name)"
      if position > 0 { self += "[\(position + 1)]" }
    case .attribute(let name): self += "/@\(name)"
    case .characters(let position):
      self += "/#text"
      if position > 0 { self += "[\(position + 1)]" }
    }
  }
}
