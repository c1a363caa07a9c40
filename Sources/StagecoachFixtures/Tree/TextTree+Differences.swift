extension TextTree {
  /// The leaves that differ in two texts with the same containers and leaves, by their positions in ``nodes``; `nil` if
  /// the texts differ in these.
  func differences(from other: TextTree) -> [Int]? {
    guard nodes.count == other.nodes.count else { return nil }
    var differences: [Int] = []
    for index in nodes.indices {
      let (node, counterpart) = (nodes[index], other.nodes[index])
      guard node.step == counterpart.step, node.parent == counterpart.parent else { return nil }
      switch (node.leaf, counterpart.leaf) {
      case (nil, nil): break
      case (let leaf?, let other?):
        if leaf.value != other.value || leaf.type != other.type { differences.append(index) }
      default: return nil
      }
    }
    return differences
  }

  /// The leaves directly in a container without one around it, such as the query of a target.
  func leaves(in name: String) -> [LeafPlace] {
    guard let container = nodes.firstIndex(where: { $0.parent < 0 && $0.step == .parameter(name, 0) }) else {
      return []
    }
    return children(of: container).compactMap { LeafPlace(self, $0) }
  }
}
