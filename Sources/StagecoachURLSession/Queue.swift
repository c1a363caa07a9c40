/// A first in, first out queue, with both ends in constant time.
struct Queue<Element> {
  private var elements: [Element?] = []
  private var first = 0

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first]
    elements[first] = nil
    first += 1
    if first == elements.count || first >= 64 && first * 2 >= elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }

  /// Removes the first element that meets a condition.
  mutating func removeFirst(where condition: (Element) -> Bool) {
    let index = elements.indices.dropFirst(first).first { elements[$0].map(condition) ?? false }
    if let index { elements.remove(at: index) }
  }

  /// Removes and returns all elements.
  mutating func popAll() -> [Element] {
    defer { self = Queue() }
    return elements[first...].compactMap { $0 }
  }

  var isEmpty: Bool { first == elements.count }
}
