import Synchronization

/// Runs work that outlives the call that started it, such as a token refresh.
///
/// The scope belongs to a client, which cancels and awaits the work at shutdown and cancels it when
/// the client goes away.
public final class BackgroundScope: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var next = 0
    var isClosed = false
  }

  /// The scope of the running work, which must not wait for itself.
  @TaskLocal private static var running: ObjectIdentifier?

  private let state = Mutex(State())

  package init() {}

  /// Starts work in the background.
  ///
  /// - Returns: Whether the work was started; `false` once the client is shut down.
  @discardableResult
  public func run(_ work: @escaping @Sendable () async -> Void) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      let id = state.next
      state.next += 1
      let running = ObjectIdentifier(self)
      state.tasks[id] = Task { [weak self] in
        await Self.$running.withValue(running) { await work() }
        self?.state.withLock { $0.tasks[id] = nil }
      }
      return true
    }
  }

  /// Cancels all work and refuses new work.
  @discardableResult
  func cancel() -> [Int: Task<Void, Never>] {
    let tasks = state.withLock { state in
      state.isClosed = true
      return state.tasks
    }
    for task in tasks.values { task.cancel() }
    return tasks
  }

  /// Cancels all work and waits for its end. Work that calls this does not wait, because two such calls would wait for
  /// each other.
  package func close() async {
    let tasks = cancel()
    if let running = Self.running, running == ObjectIdentifier(self) { return }
    for task in tasks.values { await task.value }
  }
}
