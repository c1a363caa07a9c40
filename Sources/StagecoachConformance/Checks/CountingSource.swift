import StagecoachCore
import Synchronization

/// A request body of ``PatternedContent`` of any length that counts what is pulled from it.
final class CountingSource: BodySource {
  private struct State {
    var pulled = 0
    var isCancelled = false
  }

  private let length: Int
  private let chunkSize: Int
  private let state = Mutex(State())
  private let failure: (any Error)?

  /// - Parameters:
  ///   - length: How many bytes there are.
  ///   - failure: What pulling more throws; nil for an end.
  init(length: Int, chunkSize: Int = 65_536, failure: (any Error)? = nil) {
    self.length = length
    self.chunkSize = chunkSize
    self.failure = failure
  }

  /// The number of bytes read from the source.
  var pulled: Int { state.withLock { $0.pulled } }

  func next() async throws -> Bytes? {
    try Task.checkCancellation()
    let next = state.withLock { state -> Bytes? in
      guard !state.isCancelled else { return nil }
      let count = min(chunkSize, length - state.pulled)
      let next = PatternedContent.bytes(at: state.pulled, count: count)
      state.pulled += next.count
      return next.isEmpty ? nil : next
    }
    if next == nil, let failure { throw failure }
    return next
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  /// A body from this source.
  func body(declared length: Int64? = nil) -> Request.Body {
    .source(length: length, isReplayable: false) { self }
  }
}

/// A body that never ends and never has anything more.
final class StalledSource: BodySource {
  private let first: Mutex<Bytes?>
  private let pause = Pause()
  private let cancelled = Atomic(false)

  init(_ first: Bytes) {
    self.first = Mutex(first)
  }

  func next() async throws -> Bytes? {
    let chunk = first.withLock { first -> Bytes? in
      defer { first = nil }
      return first
    }
    if let chunk { return chunk }
    try await pause.sleep(until: .now + .seconds(60), on: SystemTime())
    return nil
  }

  /// Whether its reader has released it.
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() {
    cancelled.store(true, ordering: .relaxed)
    pause.end()
  }
}
