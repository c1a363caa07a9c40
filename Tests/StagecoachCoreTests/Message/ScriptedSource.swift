import HTTPTypes
import Stagecoach
import Synchronization

/// A body source that plays a script and counts what is asked of it.
final class ScriptedSource: BodySource {
  enum Step: Sendable {
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

  let trailers: HTTPFields?
  private let state: Mutex<State>
  private let onDeinit: (@Sendable () -> Void)?

  init(_ steps: [Step], trailers: HTTPFields? = nil, onDeinit: (@Sendable () -> Void)? = nil) {
    state = Mutex(State(steps: steps[...]))
    self.trailers = trailers
    self.onDeinit = onDeinit
  }

  convenience init(chunks: [Bytes], trailers: HTTPFields? = nil) {
    self.init(chunks.map(Step.chunk), trailers: trailers)
  }

  deinit { onDeinit?() }

  /// How often a chunk was asked for.
  var pulls: Int { state.withLock { $0.pulls } }
  /// How often it was cancelled.
  var cancels: Int { state.withLock { $0.cancels } }

  /// Returns once a chunk was asked for so many times.
  func pulled(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.pulls >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  func next() async throws -> Bytes? {
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

  func cancel() {
    let waiting = state.withLock { state in
      state.cancels += 1
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }
}

/// An error of nobody's taxonomy.
struct Foreign: Error, Equatable, CustomStringConvertible {
  var text = "foreign"
  var description: String { text }
}

/// A count that tasks share.
final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  @discardableResult func add(_ amount: Int = 1) -> Int {
    count.add(amount, ordering: .sequentiallyConsistent).newValue
  }
}

/// A list that tasks share.
final class Log<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])
  var all: [Element] { list.withLock { $0 } }
  func add(_ element: Element) { list.withLock { $0.append(element) } }
}

/// Something that happens once, and can be waited for.
final class Signal: Sendable {
  private let state = Mutex<(isSet: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func set() {
    let waiting = state.withLock { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isSet = state.withLock { state in
        if !state.isSet { state.waiting.append(continuation) }
        return state.isSet
      }
      if isSet { continuation.resume() }
    }
  }
}

/// Sleeps until the task is cancelled, and throws what a sleep throws then.
func sleepUntilCancelled() async throws {
  while true { try await Task.sleep(for: .seconds(3600)) }
}
