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

  private let state = Mutex(State())

  init() {}

  /// Starts work.
  ///
  /// - Returns: Whether it was started; false once the client is shut down.
  @discardableResult
  public func run(_ work: @escaping @Sendable () async -> Void) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      let id = state.next
      state.next += 1
      state.tasks[id] = Task { [weak self] in
        await work()
        self?.state.withLock { $0.tasks[id] = nil }
      }
      return true
    }
  }

  /// Cancels all work and refuses more.
  @discardableResult
  func cancel() -> [Task<Void, Never>] {
    let tasks = state.withLock { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    return tasks
  }

  /// Cancels all work and waits for its end.
  func close() async {
    for task in cancel() { await task.value }
  }
}
