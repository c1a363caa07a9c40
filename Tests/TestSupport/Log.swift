import Synchronization

/// A list that tasks share.
package final class Log<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])

  package init() {}

  package var all: [Element] { list.withLock { $0 } }
  package func add(_ element: Element) { list.withLock { $0.append(element) } }
}
