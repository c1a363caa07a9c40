import StagecoachCore
import Synchronization

/// Reads the segments of a multipart body one after the other; a content is opened when its turn comes, and one
/// at a time.
final class MultipartSource: BodySource {
  private struct State {
    var rest: ArraySlice<MultipartAssembly.Segment>
    var current: (any BodySource)?
    var isCancelled = false
  }

  private let state: Mutex<State>

  /// Refuses content that exists once and was sent, or is in two parts, while nothing has been sent yet.
  ///
  /// Throws ``ExchangeError`` of kind `bodyNotReplayable`.
  init(_ segments: [MultipartAssembly.Segment]) throws {
    try Self.checkContents(of: segments)
    state = Mutex(State(rest: segments[...]))
  }

  deinit {
    cancel()
  }

  func next() async throws -> Bytes? {
    while true {
      try Task.checkCancellation()
      let (current, segment, isCancelled) = state.withLock { state in
        (state.current, state.current == nil ? state.rest.popFirst() : nil, state.isCancelled)
      }
      guard !isCancelled else { throw CancellationError() }
      if let current {
        if let chunk = try await current.next() { return chunk }
        state.withLock { $0.current = nil }
        continue
      }
      switch segment {
      case nil: return nil
      case .bytes(let bytes): return bytes
      case .body(let body, _): try open(body)
      }
    }
  }

  private static func checkContents(of segments: [MultipartAssembly.Segment]) throws {
    var seen: Set<ObjectIdentifier> = []
    for case .body(let body, let part) in segments {
      guard let content = body.identityOfOnce else { continue }
      guard body.isAvailable else { throw gone("was already sent", part: part) }
      guard seen.insert(content).inserted else {
        throw gone("is also used by an earlier part", part: part)
      }
    }
  }

  private static func gone(_ why: String, part: Int) -> ExchangeError {
    ExchangeError(
      .bodyNotReplayable,
      "the content of part \(part) can be sent only once and \(why)",
      advice: "create the body of the part with .bytes, .file or .stream, which can be sent again"
    )
  }

  private func open(_ body: Request.Body) throws {
    let source = try body.makeSource()
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.current = source }
      return state.isCancelled
    }
    if isCancelled { source.cancel() }
  }

  func cancel() {
    let current = state.withLock { state in
      state.isCancelled = true
      state.rest = []
      defer { state.current = nil }
      return state.current
    }
    current?.cancel()
  }
}
