import Synchronization

/// A count that tasks share.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package var value: Int { count.load(ordering: .sequentiallyConsistent) }
  @discardableResult package func add(_ amount: Int = 1) -> Int {
    count.add(amount, ordering: .sequentiallyConsistent).newValue
  }
}
