import Synchronization

/// A value that changes, and its observers: each sees the value at its registration first, then every change, in
/// order.
///
/// Handlers run on the thread that made the change, or on one that is delivering an earlier one, and never at the same
/// time. They run outside of any lock, so that they may change the value again.
final class Broadcast<Value: Sendable>: Sendable {
  typealias Handler = @Sendable (Value) -> Void

  private struct State {
    var value: Value
    var handlers: [(id: Int, call: Handler)] = []
    var nextID = 0
    var pending: [(call: Handler, value: Value)] = []
    var isDelivering = false
    var isFinished = false
    var endings: [Int: @Sendable () -> Void] = [:]
  }

  private let state: Mutex<State>

  init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  deinit {
    // A stream whose values can no longer come ends.
    for end in state.withLock({ Array($0.endings.values) }) { end() }
  }

  /// The current value.
  var value: Value { state.withLock { $0.value } }

  /// Changes the value and tells the handlers, if the closure returns true.
  func update(_ change: (inout Value) -> Bool) {
    enqueue(change)
    flush()
  }

  /// Changes the value, if the closure returns true; the handlers are called by ``flush()``. For callers that hold a
  /// lock.
  func enqueue(_ change: (inout Value) -> Bool) {
    state.withLock { state in
      guard !state.isFinished, change(&state.value) else { return }
      for handler in state.handlers { state.pending.append((handler.call, state.value)) }
    }
  }

  /// Calls the handlers with the changes that were enqueued.
  func flush() {
    if state.withLock({ Self.lead(&$0) }) { deliver() }
  }

  /// Ends all sequences, after what was sent before. Later changes are not sent.
  func finish() {
    let isLeader = state.withLock { state -> Bool in
      state.isFinished = true
      state.handlers = []
      let endings = state.endings.values
      state.endings = [:]
      for end in endings { state.pending.append(({ _ in end() }, state.value)) }
      return Self.lead(&state)
    }
    if isLeader { deliver() }
  }

  /// Adds a handler, which first gets the current value.
  ///
  /// - Returns: The number to remove it by.
  @discardableResult
  func observe(onEnd: (@Sendable () -> Void)? = nil, _ handler: @escaping Handler) -> Int {
    let (id, isLeader) = state.withLock { state -> (Int, Bool) in
      let id = state.nextID
      state.nextID += 1
      state.pending.append((handler, state.value))
      if state.isFinished {
        if let onEnd { state.pending.append(({ _ in onEnd() }, state.value)) }
      } else {
        state.handlers.append((id, handler))
        state.endings[id] = onEnd
      }
      return (id, Self.lead(&state))
    }
    if isLeader { deliver() }
    return id
  }

  /// Removes a handler.
  func remove(_ id: Int) {
    state.withLock { state in
      state.handlers.removeAll { $0.id == id }
      state.endings[id] = nil
    }
  }

  /// Returns a sequence of the current value and all changes.
  ///
  /// - Parameter limit: The number of values that are kept for a slow reader; the oldest go first.
  func stream(keeping limit: Int) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(limit))
    let id = observe(onEnd: { continuation.finish() }) { continuation.yield($0) }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  private static func lead(_ state: inout State) -> Bool {
    guard !state.isDelivering, !state.pending.isEmpty else { return false }
    state.isDelivering = true
    return true
  }

  private func deliver() {
    while true {
      let batch = state.withLock { state -> [(call: Handler, value: Value)] in
        let batch = state.pending
        state.pending = []
        state.isDelivering = !batch.isEmpty
        return batch
      }
      guard !batch.isEmpty else { return }
      for item in batch { item.call(item.value) }
    }
  }
}
