#if SQLite
  internal import StagecoachCore

  /// A value that is used on a serial queue of its own.
  ///
  /// `@unchecked Sendable` is safe: the value is passed in once, and only the blocks of the serial queue use it
  /// afterwards. They retain it, so that it is released after the last of them.
  final class Confined<Value>: @unchecked Sendable {
    private let queue: BlockingQueue
    private let value: Value

    init(_ label: String, _ value: sending Value) {
      queue = BlockingQueue(label: label)
      self.value = value
    }

    /// Runs blocking calls, and suspends the task until they return.
    func run<Result: Sendable>(_ work: @escaping @Sendable (Value) throws -> Result) async throws -> Result {
      try await queue.run { try work(self.value) }
    }

    /// Runs blocking calls without waiting for them.
    func enqueue(_ work: @escaping @Sendable (Value) -> Void) {
      queue.enqueue { work(self.value) }
    }
  }
#endif
