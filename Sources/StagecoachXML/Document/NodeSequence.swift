internal import CLibXML2

extension XML {
  /// The nodes along an axis of a document, found one by one.
  public struct NodeSequence: Sequence, Sendable {
    /// Which nodes.
    enum Axis: Sendable {
      case ancestors
      /// In document order.
      case descendants
    }

    let origin: Node
    let axis: Axis

    /// An iterator along the axis.
    public struct Iterator: IteratorProtocol {
      private let origin: Node
      private let axis: Axis
      private var last: Node?

      init(origin: Node, axis: Axis) {
        self.origin = origin
        self.axis = axis
        last = origin
      }

      /// Returns the next node; `nil` after the last one.
      public mutating func next() -> Node? {
        guard let last else { return nil }
        switch axis {
        case .ancestors: self.last = last.parent
        case .descendants: self.last = Self.node(after: last, below: origin)
        }
        return self.last
      }

      private static func node(after node: Node, below origin: Node) -> Node? {
        let kind = node.kind
        if kind == .element || kind == .document, let child = node.withPointer({ $0.pointee.children }) {
          return Node(document: origin.document, optional: child)
        }
        var next = node
        while next != origin {
          if let sibling = next.nextSibling { return sibling }
          guard let parent = next.parent else { return nil }
          next = parent
        }
        return nil
      }
    }

    /// Returns an iterator that starts at the origin of the sequence.
    public func makeIterator() -> Iterator { Iterator(origin: origin, axis: axis) }
  }
}
