import Synchronization

/// The identifier of a transfer, unique within the process.
public struct TransferID: Sendable, Hashable, CustomStringConvertible {
  private static let counter = Atomic<Int>(0)

  /// The sequential number.
  public let number: Int

  init() {
    number = Self.counter.add(1, ordering: .relaxed).newValue
  }

  /// The number after the word `transfer`.
  public var description: String { "transfer \(number)" }
}
