import HTTPTypes
import StagecoachCore
import Synchronization
import TestSupport

/// A transport whose replies wait until they are let through or cancelled.
final class GatedReplies: Transport {
  private struct State {
    var isOpen = false
    var isShutDown = false
    var next = 0
    var arrived = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let alive: Counter?

  init(alive: Counter? = nil) {
    self.alive = alive
    alive?.add()
  }

  deinit { alive?.add(-1) }

  var isShutDown: Bool { state.withLock { $0.isShutDown } }

  /// Waits until so many requests have arrived.
  func arrived(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.arrived >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  /// Lets all replies through, those of later requests too.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  func send(_ request: Request) async throws -> Response {
    let (id, watchers) = state.withLock { state in
      state.next += 1
      state.arrived += 1
      let arrived = state.arrived
      let reached = state.watchers.filter { $0.count <= arrived }.map(\.continuation)
      state.watchers.removeAll { $0.count <= arrived }
      return (state.next, reached)
    }
    for watcher in watchers { watcher.resume() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if state.isOpen { return .success(()) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiting[id] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
    return Response(.ok, body: .bytes("body"))
  }

  func shutdown() async { state.withLock { $0.isShutDown = true } }
}
