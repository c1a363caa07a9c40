package import HTTPTypes
package import StagecoachCore
import Synchronization

/// A body source that plays a script and counts what is asked of it.
package final class ScriptedSource: BodySource {
  package enum Step: Sendable {
    case chunk(Bytes)
    case fail(any Error)
    /// Waits until the source is cancelled, deaf to the task, as an engine is.
    case wait
  }

  private struct State {
    var steps: ArraySlice<Step>
    var pulls = 0
    var cancels = 0
    var waiting: CheckedContinuation<Void, Never>?
    var watchers: [(pulls: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  package let trailers: HTTPFields?
  private let state: Mutex<State>
  private let onDeinit: (@Sendable () -> Void)?

  package init(_ steps: [Step], trailers: HTTPFields? = nil, onDeinit: (@Sendable () -> Void)? = nil) {
    state = Mutex(State(steps: steps[...]))
    self.trailers = trailers
    self.onDeinit = onDeinit
  }

  package convenience init(chunks: [Bytes], trailers: HTTPFields? = nil) {
    self.init(chunks.map(Step.chunk), trailers: trailers)
  }

  deinit { onDeinit?() }

  /// How often a chunk was asked for.
  package var pulls: Int { state.withLock { $0.pulls } }
  /// How often it was cancelled.
  package var cancels: Int { state.withLock { $0.cancels } }

  /// Returns once a chunk was asked for so many times.
  package func pulled(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.pulls >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  package func next() async throws -> Bytes? {
    let (step, watchers) = state.withLock { state in
      state.pulls += 1
      let pulls = state.pulls
      let reached = state.watchers.filter { $0.pulls <= pulls }.map(\.continuation)
      state.watchers.removeAll { $0.pulls <= pulls }
      return (state.steps.popFirst(), reached)
    }
    for watcher in watchers { watcher.resume() }
    switch step {
    case nil: return nil
    case .chunk(let bytes): return bytes
    case .fail(let error): throw error
    case .wait:
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancels > 0 { return true }
          state.waiting = continuation
          return false
        }
        if isCancelled { continuation.resume() }
      }
      return nil
    }
  }

  package func cancel() {
    let waiting = state.withLock { state in
      state.cancels += 1
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }
}
