/// The texts of a message as trees.
struct MessageTree: Sendable {
  /// A place in the trees of a message.
  struct LeafKey: Hashable, Sendable {
    let part: Int
    /// The inner text that has the leaf; `nil` for the text of the part.
    let inner: ObjectIdentifier?
    let index: Int

    init(_ place: LeafPlace, part: Int) {
      self.part = part
      inner = place.outer?.leaf.inner.map { ObjectIdentifier($0) }
      index = place.index
    }
  }

  /// A text of the message.
  struct Part: Sendable {
    let place: RedactableMessage.Place
    /// The part that the list of redacted leaves names: `target`, `header`, `trailer` or `body`.
    let name: String
    let tree: TextTree
  }

  let parts: [Part]

  /// Reads the texts of a message.
  init(_ message: RedactableMessage) {
    parts = message.parts.map { place, part in
      Part(place: place, name: part.name, tree: message.tree(at: place, part))
    }
  }
}

extension [Scenario.RedactedLeaf] {
  /// The names of the made-up values in a part such as `reply.body`, by their paths.
  func names(in part: String) -> [String: String] {
    reduce(into: [:]) { names, leaf in
      if leaf.part == part, names[leaf.path] == nil { names[leaf.path] = leaf.name }
    }
  }
}
