import StagecoachCore
import Synchronization

/// Keeps count of the parts of one attempt, which may be fetched at the same time.
final class ContentTracker: Sendable {
  private struct State {
    var content: PartialContent
    var isClaimed = false
    var unsaved: Int64 = 0
  }

  /// The number of bytes after which the store is told how far the content has come.
  private static let stride: Int64 = 8 << 20

  private let state: Mutex<State?>
  private let sequential = Atomic(false)

  init(_ content: PartialContent?) {
    state = Mutex(content.map { State(content: $0) })
  }

  /// Whether the content is fetched by one request at a time from here on, because the server serves no ranges, or too
  /// small ones.
  var isSequential: Bool {
    get { sequential.load(ordering: .relaxed) }
    set { sequential.store(newValue, ordering: .relaxed) }
  }

  /// The ranges received; `nil` before the first reply.
  var content: PartialContent? { state.withLock { $0?.content } }

  /// Starts with other content.
  func begin(_ content: PartialContent) { state.withLock { $0 = State(content: content) } }

  /// Forgets everything.
  func clear() { state.withLock { $0 = nil } }

  /// Takes back the bytes of a part after a position, because they are wrong.
  func rewind(_ index: Int, to position: Int64) {
    state.withLock { $0?.content.spans[index].next = position }
  }

  /// Notes what a reply to a part says of the whole.
  func learn(total: Int64?) {
    state.withLock { state in
      guard let total, let last = state?.content.spans.indices.last, state?.content.total == nil else {
        return
      }
      state?.content.total = total
      state?.content.spans[last].end = total
    }
  }

  func span(_ index: Int) -> PartialContent.Span? { state.withLock { $0?.content.spans[index] } }

  /// Notes bytes that were written.
  ///
  /// - Returns: The content, if it is time to save how far it has come.
  func advance(_ index: Int, by count: Int) -> PartialContent? {
    state.withLock { state in
      state?.content.spans[index].next += Int64(count)
      state?.unsaved += Int64(count)
      guard let current = state, current.unsaved >= Self.stride else { return nil }
      state?.unsaved = 0
      return current.content
    }
  }

  /// Notes that a body of unknown length has ended.
  func end(_ index: Int) {
    state.withLock { state in
      guard let span = state?.content.spans[index], span.end == nil else { return }
      state?.content.spans[index].end = span.next
      state?.content.total = span.next
    }
  }

  /// Returns the content if nothing is missing, once.
  func claimComplete() -> PartialContent? {
    state.withLock { state in
      guard let current = state, current.content.isComplete, !current.isClaimed else { return nil }
      state?.isClaimed = true
      return current.content
    }
  }
}
