/// A leaf and the way to it.
final class LeafPlace: Sendable {
  let tree: TextTree
  let index: Int
  /// The leaf in whose value this one is.
  let outer: LeafPlace?

  init(_ tree: TextTree, _ index: Int, in outer: LeafPlace? = nil) {
    self.tree = tree
    self.index = index
    self.outer = outer
  }

  var node: TextTree.Node { tree.nodes[index] }

  /// The leaf.
  var leaf: Leaf {
    guard let leaf = node.leaf else {
      preconditionFailure("a place is that of a leaf: see TextTree.forEachLeaf")
    }
    return leaf
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
