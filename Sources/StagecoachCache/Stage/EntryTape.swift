import HTTPTypes
import StagecoachCore
import StagecoachStages
import Synchronization

/// Writes a response into a store while it is read.
final class EntryTape: BodyTape {
  private struct State {
    var received: Int64 = 0
    var isAppending = false
    /// Whether the entry ends as soon as nothing is being appended.
    var isAbandoned = false
    var hasFailed = false
    var isOver = false
    var isKept = false
  }

  private let writer: any CacheWriter
  private let store: StoreGuard
  private let rules: CacheRules
  private let response: CachedResponse
  private let expected: Int64?
  private let keepsBeginnings: Bool
  private let request: Request
  private let ended: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - expected: The number of bytes of the body, if it is known.
  ///   - keepsBeginnings: Whether what has arrived of a body that is cut is kept, if it can be used.
  ///   - ended: Called once, when the entry is complete or given up.
  init(
    _ writer: any CacheWriter,
    _ store: StoreGuard,
    _ rules: CacheRules,
    _ response: CachedResponse,
    expected: Int64?,
    keepsBeginnings: Bool,
    _ request: Request,
    ended: @escaping @Sendable () -> Void
  ) {
    self.writer = writer
    self.store = store
    self.rules = rules
    self.response = response
    self.expected = expected
    self.keepsBeginnings = keepsBeginnings
    self.request = request
    self.ended = ended
  }

  /// Whether the store has kept the entry.
  var isKept: Bool { state.withLock(\.isKept) }

  func append(_ chunk: Bytes) async throws {
    let isOver = state.withLock { state in
      state.isAppending = !state.isOver
      return state.isOver
    }
    guard !isOver else { throw CacheStoreError.unavailable("the entry has ended") }
    var failure: CacheEvent?
    let written: Void? = await store.call({ failure = $0 }) { [writer] _ in try await writer.append(chunk) }
    let isAbandoned = state.withLock { state in
      state.isAppending = false
      if written == nil { state.hasFailed = true } else { state.received += Int64(chunk.count) }
      return state.isAbandoned
    }
    if isAbandoned { await abandon() }
    guard written != nil else {
      if let failure { request.emit(failure) }
      throw CacheStoreError.unavailable("the entry could not be written")
    }
  }

  func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
    try await writer.read(at: offset, upTo: count)
  }

  func finish() async {
    let received = state.withLock { $0.received }
    guard expected.map({ $0 == received }) ?? true else { return await abandon() }
    await commit(response, received)
  }

  func abandon() async {
    let (received, hasFailed, isAppending) = state.withLock { state in
      state.isAbandoned = true
      return (state.received, state.hasFailed, state.isAppending)
    }
    // A writer is used by one task at a time.
    guard !isAppending else { return }
    // What has arrived can be completed by a request for the rest (RFC 9111 3.3).
    guard keepsBeginnings, !hasFailed,
      let partial = rules.incomplete(response, received: received, of: expected)
    else {
      guard end() else { return }
      writer.abandon()
      return ended()
    }
    await commit(partial, received)
  }

  private func commit(_ response: CachedResponse, _ received: Int64) async {
    guard end() else { return }
    let isKept = await store.call({ request.emit($0) }) { [writer] _ in
      try await writer.commit(response)
    }
    state.withLock { $0.isKept = isKept == true }
    switch isKept {
    case true?: request.emit(CacheEvent.stored(bytes: received))
    case false?: request.emit(CacheEvent.notStored(reason: "the URL was invalidated meanwhile"))
    case nil: break
    }
    ended()
  }

  /// Returns whether this ends the entry.
  private func end() -> Bool {
    state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
  }
}
