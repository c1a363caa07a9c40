import StagecoachFormats

/// A text of a message as a tree whose leaves can be changed in place: a target, the value of a field, or content.
///
/// The text stays as it is, to the octet. What lies between its leaves is punctuation, names, white space and, in text
/// without a syntax, everything: the gaps.
///
/// A leaf whose value is again a text of a known format (JSON in a string, a JSON Web Token, the Base64 of a form) has an
/// inner tree.
struct TextTree: Sendable {
  /// A container or a leaf.
  struct Node: Sendable {
    /// The container around the node; -1 if there is none.
    let parent: Int
    let step: Step
    /// `nil` for a container.
    let leaf: Leaf?
    /// The octets of a leaf, or of an object, an array or an element; empty for another container.
    fileprivate(set) var range: Range<Int>
    /// The index behind the last node in it.
    fileprivate(set) var end: Int
  }

  /// How a node is reached from the container around it.
  enum Step: Sendable, Hashable {
    /// A member of a JSON object.
    case member(String)
    /// An element of a JSON array, a segment of a path, a line or an event, from 0.
    case index(Int)
    /// A parameter, a cookie, a part or the like, and its position among those with the same name, from 0.
    case parameter(String, Int)
    /// An element of XML or HTML by its local name, and its position among its siblings with the same name, from 0.
    case element(String, Int)
    /// An attribute by its local name.
    case attribute(String)
    /// The text of an element, and its position among the texts of the element, from 0.
    case characters(Int)
  }

  /// The most containers and leaves of a tree. What comes behind is a gap.
  static let maxNodeCount = 1_000_000

  /// The text.
  let text: [UInt8]
  /// How many texts are around this one, as values in them.
  let level: Int
  /// Containers come before what is in them. The ranges of leaves ascend and do not overlap.
  private(set) var nodes: [Node] = []
  /// The containers that are open.
  private var open: [Int] = []

  /// Whether all that was found in the text is in the tree, and so with inner trees: see ``maxNodeCount``.
  private(set) var isComplete = true

  /// Creates a tree without nodes: its text is one gap.
  init(_ text: [UInt8], level: Int = 0) {
    self.text = text
    self.level = level
  }

  // MARK: Building

  /// Begins a container. All that is added until ``close(at:)`` is in it.
  mutating func open(_ step: Step, at start: Int = 0) {
    let parent = open.last ?? -1
    open.append(nodes.count)
    append(Node(parent: parent, step: step, leaf: nil, range: start..<start, end: nodes.count + 1))
  }

  /// Ends the container that was opened last.
  mutating func close(at end: Int? = nil) {
    guard let index = open.popLast(), index < nodes.count else { return }
    nodes[index].end = nodes.count
    if let end { nodes[index].range = nodes[index].range.lowerBound..<end }
  }

  /// Adds a leaf to the container that is open.
  mutating func add(_ step: Step, _ leaf: Leaf) {
    if leaf.inner?.tree.isComplete == false { isComplete = false }
    append(Node(parent: open.last ?? -1, step: step, leaf: leaf, range: leaf.range, end: nodes.count + 1))
  }

  private mutating func append(_ node: Node) {
    guard nodes.count < Self.maxNodeCount else {
      isComplete = false
      return
    }
    nodes.append(node)
  }

  // MARK: Reading

  /// The depth of the containers that are open.
  var depth: Int { open.count }

  /// The nodes directly in a container, or those without one.
  func children(of container: Int?) -> [Int] {
    var children: [Int] = []
    var index = container.map { $0 + 1 } ?? 0
    let end = container.map { nodes[$0].end } ?? nodes.count
    while index < end {
      children.append(index)
      index = nodes[index].end
    }
    return children
  }

  /// Calls a closure for each leaf in the order of the text. A leaf with an inner tree comes first; the leaves of the inner
  /// tree follow if the closure returns true.
  func forEachLeaf(_ body: (LeafPlace) -> Bool) { forEachLeaf(in: nil, body) }

  private func forEachLeaf(in outer: LeafPlace?, _ body: (LeafPlace) -> Bool) {
    for index in nodes.indices {
      guard let leaf = nodes[index].leaf else { continue }
      let place = LeafPlace(self, index, in: outer)
      if body(place), let inner = leaf.inner { inner.tree.forEachLeaf(in: place, body) }
    }
  }

  /// What becomes of a leaf.
  enum Change {
    /// It gets another value.
    case value([UInt8])
    /// It stays as it is, with all that is in it.
    case none
    /// Its inner tree is changed, if it has one.
    case inside
  }

  /// Returns the text with changed leaves and gaps.
  ///
  /// - Parameters:
  ///   - leaf: What becomes of a leaf. The value it returns is not encoded yet.
  ///   - gap: Returns the text in place of a gap; `nil` if that stays as it is.
  func rewritten(
    _ leaf: (LeafPlace) -> Change,
    gap: (ArraySlice<UInt8>) -> [UInt8]? = { _ in nil }
  ) -> [UInt8] {
    rewritten(in: nil, leaf, gap) ?? text
  }

  /// Returns `nil` if nothing was changed.
  private func rewritten(
    in outer: LeafPlace?,
    _ change: (LeafPlace) -> Change,
    _ gap: (ArraySlice<UInt8>) -> [UInt8]?
  ) -> [UInt8]? {
    var result: [UInt8] = []
    var (position, isChanged) = (0, false)
    func copyGap(to end: Int) {
      guard position < end else { return }
      if let other = gap(text[position..<end]) {
        isChanged = true
        result += other
      } else {
        result += text[position..<end]
      }
    }
    for index in nodes.indices {
      guard let leaf = nodes[index].leaf else { continue }
      copyGap(to: leaf.range.lowerBound)
      let place = LeafPlace(self, index, in: outer)
      let octets: [UInt8]? =
        switch change(place) {
        case .none: nil
        case .value(let value): value == leaf.value ? nil : leaf.coding.encode(value)
        case .inside:
          leaf.inner.flatMap { inner in
            inner.tree.rewritten(in: place, change, gap).map { leaf.coding.encode(inner.coding.encode($0)) }
          }
        }
      if let octets {
        isChanged = true
        result += octets
      } else {
        result += text[leaf.range]
      }
      position = leaf.range.upperBound
    }
    copyGap(to: text.count)
    return isChanged ? result : nil
  }
}
