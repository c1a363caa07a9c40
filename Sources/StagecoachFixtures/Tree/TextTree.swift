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
  mutating func add(_ step: consuming Step, _ leaf: consuming Leaf) {
    if leaf.inner?.tree.isComplete == false { isComplete = false }
    let range = leaf.range
    append(Node(parent: open.last ?? -1, step: step, leaf: leaf, range: range, end: nodes.count + 1))
  }

  private mutating func append(_ node: consuming Node) {
    guard nodes.count < Self.maxNodeCount else {
      isComplete = false
      return
    }
    // Most leaves have some octets, and some around them.
    if nodes.isEmpty { nodes.reserveCapacity(Self.smallCount + text.count / 32) }
    nodes.append(node)
  }

  /// How many nodes there is room for first: a target or a token has a few.
  private static let smallCount = 4

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
    forEachPlace(in: outer) { place in
      if body(place), let inner = place.leaf.inner { inner.tree.forEachLeaf(in: place, body) }
    }
  }

  /// Calls a closure for each leaf that is not in an inner tree.
  private func forEachPlace(in outer: LeafPlace?, _ body: (LeafPlace) -> Void) {
    guard let first = nodes.firstIndex(where: { $0.leaf != nil }),
      var place = LeafPlace(self, first, in: outer)
    else { return }
    for index in first..<nodes.count {
      guard let leaf = nodes[index].leaf else { continue }
      place.move(to: index, leaf)
      body(place)
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

  /// Returns the text with changed leaves.
  ///
  /// - Parameter leaf: What becomes of a leaf. The value it returns is not encoded yet.
  func rewritten(_ leaf: (LeafPlace) -> Change) -> [UInt8] { changed(leaf, gap: { _, _ in nil }) ?? text }

  /// Returns the text with changed leaves and gaps; `nil` if nothing was changed.
  ///
  /// - Parameters:
  ///   - change: What becomes of a leaf. The value it returns is not encoded yet.
  ///   - gap: Returns the text in place of a gap, which is in the value of a leaf or in none; `nil` if it stays.
  func changed(
    _ change: (LeafPlace) -> Change,
    gap: (ArraySlice<UInt8>, LeafPlace?) -> [UInt8]?,
    in outer: LeafPlace? = nil
  ) -> [UInt8]? {
    var result: [UInt8] = []
    // Up to where the text was read, and up to where it was copied.
    var (position, copied, isChanged) = (0, 0, false)
    func replace(_ range: Range<Int>, by octets: [UInt8]) {
      isChanged = true
      result += text[copied..<range.lowerBound]
      result += octets
      copied = range.upperBound
    }
    func readGap(to end: Int) {
      guard position < end, let other = gap(text[position..<end], outer) else { return }
      replace(position..<end, by: other)
    }
    forEachPlace(in: outer) { place in
      let leaf = place.leaf
      readGap(to: leaf.range.lowerBound)
      let octets: [UInt8]? =
        switch change(place) {
        case .none: nil
        case .value(let value): value == leaf.value ? nil : leaf.coding.encode(value)
        case .inside:
          leaf.inner.flatMap { inner in
            inner.tree.changed(change, gap: gap, in: place).map {
              leaf.coding.encode(inner.coding.encode($0))
            }
          }
        }
      if let octets { replace(leaf.range, by: octets) }
      position = leaf.range.upperBound
    }
    readGap(to: text.count)
    return isChanged ? result + text[copied...] : nil
  }
}
