/// The tree of the pairs of a query.
struct QueryTree {
  /// A part of a key.
  enum Segment: Hashable {
    case key(String)
    case index(Int)
    /// `[]`, the next element.
    case append
  }

  /// The value of a pair.
  struct Leaf {
    /// Nil for a key without "=".
    package var text: String?
    /// The elements, if delimiters make more than one.
    var parts: [String]?
  }

  enum Content {
    case leaf(Leaf)
    case node(Int)
  }

  /// A container: its parts in the order in which they were added.
  struct Node {
    var entries: [(segment: Segment, content: Content)] = []
  }

  private struct Edge: Hashable {
    let parent: Int
    let segment: Segment
  }

  /// The place of a segment's entries in a container.
  private struct Slot {
    var container: Int?
    var firstLeaf: Int?
    var positions: [Int] = []

    mutating func add(_ content: Content, at position: Int) {
      positions.append(position)
      switch content {
      case .node(let child): container = child
      case .leaf: firstLeaf = firstLeaf ?? position
      }
    }
  }

  let options: QueryDecoder
  /// The containers; the first is the whole.
  private var nodes = [Node()]
  private var slots: [Edge: Slot] = [:]

  init(_ options: QueryDecoder) {
    self.options = options
  }

  func entries(of node: Int) -> [(segment: Segment, content: Content)] { nodes[node].entries }

  /// The contents of a container under one segment.
  func contents(of node: Int, at segment: Segment) -> [Content] {
    guard let slot = slots[Edge(parent: node, segment: segment)] else { return [] }
    return slot.positions.map { nodes[node].entries[$0].content }
  }

  /// Whether an entry is the first leaf under its segment.
  func isFirstLeaf(_ position: Int, of node: Int) -> Bool {
    slots[Edge(parent: node, segment: nodes[node].entries[position].segment)]?.firstLeaf == position
  }

  // MARK: Adding

  /// Adds a leaf at a path of one segment or more.
  mutating func add(_ leaf: Leaf, at path: [Segment]) {
    var node = 0
    // Computed once: at deeper levels the result is the same, or the container is new and it is not needed.
    var isTaken: Bool?
    for (position, segment) in path.dropLast().enumerated() {
      node = container(at: segment, in: node, for: path[(position + 1)...], &isTaken)
    }
    guard let last = path.last else { return }
    insert(.leaf(leaf), at: last, in: node)
  }

  /// `isTaken` is whether the rest of the path is already in use; `nil` if not known yet.
  private mutating func container(
    at segment: Segment,
    in node: Int,
    for rest: ArraySlice<Segment>,
    _ isTaken: inout Bool?
  ) -> Int {
    if segment == .append {
      if case (.append, .node(let child))? = nodes[node].entries.last {
        let isHeld = isTaken ?? holds(rest, child)
        isTaken = isHeld
        if !isHeld { return child }
      }
    } else if let child = slots[Edge(parent: node, segment: segment)]?.container {
      return child
    }
    nodes.append(Node())
    insert(.node(nodes.count - 1), at: segment, in: node)
    return nodes.count - 1
  }

  private mutating func insert(_ content: Content, at segment: Segment, in node: Int) {
    if segment != .append {
      let position = nodes[node].entries.count
      // In place: a slot that the dictionary still held would copy its positions each time.
      slots[Edge(parent: node, segment: segment), default: Slot()].add(content, at: position)
    }
    nodes[node].entries.append((segment, content))
  }

  /// Whether something is at the path already, so that what comes there belongs to the next element.
  private func holds(_ path: ArraySlice<Segment>, _ start: Int) -> Bool {
    guard let last = path.last, last != .append else { return false }
    var node = start
    for segment in path.dropLast() {
      if segment == .append {
        guard case (.append, .node(let child))? = nodes[node].entries.last else { return false }
        node = child
      } else {
        guard let child = slots[Edge(parent: node, segment: segment)]?.container else { return false }
        node = child
      }
    }
    return slots[Edge(parent: node, segment: last)] != nil
  }

  // MARK: Elements

  /// Whether a container has elements and no keys; the whole is an object always.
  func isArray(_ node: Int) -> Bool {
    node > 0
      && nodes[node].entries.allSatisfy { entry in
        if case .key = entry.segment { false } else { true }
      }
  }

  /// The elements of a container that is an array; nil if it has keys.
  func elements(of node: Int) -> [Content]? {
    let entries = nodes[node].entries
    var indexed: [(index: Int, content: Content)] = []
    for (position, entry) in entries.enumerated() {
      switch entry.segment {
      case .append: indexed.append((position, entry.content))
      case .index(let index): indexed.append((index, entry.content))
      case .key: return nil
      }
    }
    let isInOrder = zip(indexed, indexed.dropFirst()).allSatisfy { $0.index <= $1.index }
    if isInOrder { return indexed.map(\.content) }
    // The offset decides between equal indices, since the sort does not promise to be stable.
    return indexed.enumerated().sorted { left, right in
      (left.element.index, left.offset) < (right.element.index, right.offset)
    }.map(\.element.content)
  }
}

extension QueryTree.Segment {
  /// The key that this is in an object; nil for `[]`.
  var key: String? {
    switch self {
    case .key(let key): key
    case .index(let index): String(index)
    case .append: nil
    }
  }
}

extension QueryTree.Content {
  var leaf: QueryTree.Leaf? {
    if case .leaf(let leaf) = self { leaf } else { nil }
  }

  var node: Int? {
    if case .node(let node) = self { node } else { nil }
  }
}
