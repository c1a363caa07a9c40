import HTTPTypes
import Synchronization

/// The shared state of a streamed response body: its origin, its progress and the handlers of its end.
final class BodyStream: Sendable {
  /// The reason that a body was stopped before its end.
  enum Stop {
    case cancelled
    case totalTimeout(Duration)
  }

  /// The context for errors of the body, set once when the response leaves the stage that created its body.
  struct Origin {
    let stage: String
    let answered: Response.Answered
    let response: HTTPResponse

    var request: Request { answered.request }
    var exchange: Exchange? { answered.request.exchange }
  }

  private struct State {
    var isClaimed = false
    /// Whether a read of the source is in progress. The source has one reader at a time, and is not read again after
    /// it has ended or failed.
    var isReading = false
    var end: BodyEnd?
    var stop: Stop?
    var origin: Origin?
    var received: Int64 = 0
    var prefix = Bytes()
    var handlers: [@Sendable (BodyEnd) -> Void] = []
    /// Whether another body, which the source reads, reports the bytes and the end.
    var isReportedBelow: Bool

    /// The request if the exchange has observers; otherwise the request is not copied.
    var observed: Request? { isReporting ? origin?.request : nil }

    /// Whether this body reports, and somebody hears of it.
    var isReporting: Bool { !isReportedBelow && origin?.exchange?.isObserved == true }
  }

  /// The body whose source is asked for a chunk, if it does not know yet whether the source reads another body.
  @TaskLocal private static var reader: BodyStream?

  /// Whether there has been a reader. Without one no body looks for it: each look-up is a walk through all values of the
  /// task, for every chunk.
  private static let hasHadReader = Atomic(false)

  /// The most memory reserved because of a declared length; beyond it, the buffer grows with the bytes received.
  private static let largestReservation = 16 * 1024 * 1024

  let length: Int64?
  /// Whether the source reads another body.
  private let isTransformed: Bool
  private let source: any BodySource
  private let state: Mutex<State>
  /// Whether the state has an origin, which every stage checks.
  private let isAttributed = Atomic(false)

  init(_ source: any BodySource, length: Int64?, isTransformed: Bool = false) {
    self.source = source
    self.length = length
    self.isTransformed = isTransformed
    state = Mutex(State(isReportedBelow: isTransformed))
  }

  deinit {
    end(.dropped)
  }

  /// Records the stage that created the body; the innermost stage wins.
  ///
  /// - Parameter isFromTransport: Whether no stage, and so no event, was below the maker of the body.
  func attribute(
    to stage: String,
    _ answered: Response.Answered,
    response: HTTPResponse,
    isFromTransport: Bool
  ) {
    guard !isAttributed.load(ordering: .relaxed), !isAttributed.exchange(true, ordering: .relaxed) else {
      return
    }
    let origin = Origin(stage: stage, answered: answered, response: response)
    state.withLock { state in
      state.origin = origin
      if isFromTransport { state.isReportedBelow = false }
    }
  }

  /// Takes over the reports of the body whose source reads this one, and its origin unless this one has its own.
  private func report(for reader: BodyStream) {
    guard let outer = reader.state.withLock({ $0.isReportedBelow ? nil : $0.origin }) else { return }
    let isOfSameExchange = state.withLock { state in
      guard let own = state.origin else {
        state.origin = outer
        state.isReportedBelow = false
        isAttributed.store(true, ordering: .relaxed)
        return true
      }
      return own.exchange === outer.exchange
    }
    if isOfSameExchange { reader.state.withLock { $0.isReportedBelow = true } }
  }

  /// Reads the source. Another body that it reads takes over the reports, unless that has been done.
  private func offerAndRead() async throws -> Bytes? {
    guard state.withLock({ $0.isReporting }) else { return try await source.next() }
    if !Self.hasHadReader.load(ordering: .relaxed) { Self.hasHadReader.store(true, ordering: .relaxed) }
    return try await Self.$reader.withValue(self) { try await source.next() }
  }

  func claim() -> Bool {
    state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
  }

  var alreadyRead: any Error {
    wrap(
      ExchangeError(
        .bodyAlreadyRead,
        "the response body has already been read (a body can be read only once)",
        advice: "collect the body and keep the bytes if they are needed twice"
      )
    )
  }

  var trailers: HTTPFields? {
    hasFinished ? source.trailers : nil
  }

  /// Whether the body was read to its end.
  private var hasFinished: Bool {
    if case .finished = state.withLock({ $0.end }) { true } else { false }
  }

  func next() async throws -> Bytes? {
    if Self.hasHadReader.load(ordering: .relaxed), let reader = Self.reader, reader !== self {
      report(for: reader)
    }
    let (stop, end, isReading) = state.withLock { state in
      defer { state.isReading = true }
      return (state.stop, state.end, state.isReading)
    }
    if let stop { throw error(for: stop) }
    switch end {
    case .finished: return nil
    case .failed(let error): throw error
    case .dropped, nil: break
    }
    guard !isReading else { throw alreadyRead }
    do {
      guard let chunk = try await isTransformed ? offerAndRead() : source.next() else {
        if let stop = state.withLock({ $0.stop }) { throw error(for: stop) }
        finish()
        return nil
      }
      note(chunk)
      return chunk
    } catch {
      let failure = state.withLock { $0.stop }.map { self.error(for: $0) } ?? wrap(error)
      self.end(.failed(failure))
      throw failure
    }
  }

  private func note(_ chunk: Bytes) {
    let (received, request) = state.withLock { state in
      state.isReading = false
      state.received += Int64(chunk.count)
      if state.prefix.isEmpty { state.prefix = chunk }
      return (state.received, state.observed)
    }
    request?.emit(.responseBodyProgress(bytes: received, of: length))
  }

  private func finish() {
    let (exchange, request) = state.withLock { ($0.origin?.exchange, $0.observed) }
    exchange?.mark(.bodyEnd)
    if let request {
      if let trailers = source.trailers { request.emit(.responseTrailers(Redaction.fields(trailers))) }
      request.emit(.responseFinished(bytes: state.withLock { $0.received }))
    }
    end(.finished)
  }

  func collect(upTo limit: Int) async throws -> Bytes {
    guard claim() else { throw alreadyRead }
    if let length, length > limit {
      let failure = wrap(ExchangeError.bodyLimit(limit, declared: length, prefix: Bytes()))
      cancel(.cancelled, failure: failure)
      throw failure
    }
    guard let first = try await next() else { return Bytes() }
    guard first.count <= limit else { throw exceeded(limit) }
    guard let second = try await next() else { return first }
    var all: [UInt8] = []
    all.reserveCapacity(max(first.count + second.count, min(Int(length ?? 0), Self.largestReservation)))
    first.withUnsafeBytes { all.append(contentsOf: $0) }
    var chunk: Bytes? = second
    while let bytes = chunk {
      guard bytes.count <= limit - all.count else { throw exceeded(limit) }
      bytes.withUnsafeBytes { all.append(contentsOf: $0) }
      chunk = try await next()
    }
    return Bytes(all)
  }

  private func exceeded(_ limit: Int) -> any Error {
    let prefix = state.withLock { $0.prefix }
    let failure = wrap(ExchangeError.bodyLimit(limit, prefix: prefix))
    cancel(.cancelled, failure: failure)
    return failure
  }

  func discard(upTo limit: Int, within duration: Duration) async -> Bool {
    if hasFinished { return true }
    guard claim(), (length ?? 0) <= limit else {
      cancel(.cancelled)
      return false
    }
    let time: any TimeSource = state.withLock { $0.origin?.exchange?.clock } ?? SystemTime()
    let timer = time.timer(at: time.now.advanced(by: duration)) { self.cancel(.cancelled) }
    defer { timer.cancel() }
    var read = 0
    do {
      while let chunk = try await next() {
        read += chunk.count
        guard read <= limit else { break }
      }
    } catch {}
    if hasFinished { return true }
    cancel(.cancelled)
    return false
  }

  func cancel(_ stop: Stop, failure: (any Error)? = nil) {
    let ended = state.withLock { state in
      if state.stop == nil, state.end == nil { state.stop = stop }
      return state.end != nil
    }
    guard !ended else { return }
    switch stop {
    case .cancelled: end(failure.map(BodyEnd.failed) ?? .dropped)
    case .totalTimeout: end(.failed(error(for: stop)))
    }
  }

  func onEnd(_ handler: @escaping @Sendable (BodyEnd) -> Void) {
    let end = state.withLock { state in
      if state.end == nil { state.handlers.append(handler) }
      return state.end
    }
    if let end { handler(end) }
  }

  private func end(_ end: BodyEnd) {
    let (handlers, request) = state.withLock { state -> ([@Sendable (BodyEnd) -> Void]?, Request?) in
      guard state.end == nil else { return (nil, nil) }
      state.end = end
      defer { state.handlers = [] }
      return (state.handlers, state.observed)
    }
    guard let handlers else { return }
    if case .finished = end {
    } else {
      source.cancel()
      request?.emit(.responseBodyFailed)
    }
    for handler in handlers { handler(end) }
  }

  private func error(for stop: Stop) -> any Error {
    switch stop {
    case .cancelled:
      wrap(ExchangeError(.bodyCancelled, "the response body was cancelled before its end"))
    case .totalTimeout(let duration):
      wrap(ExchangeError.timeout(.total, after: duration))
    }
  }

  private func wrap(_ error: any Error) -> any Error {
    let (origin, prefix) = state.withLock { ($0.origin, $0.prefix) }
    guard let origin else { return error }
    return ExchangeError.wrapping(
      error,
      stage: origin.stage,
      request: origin.request,
      response: origin.response,
      bodyPrefix: prefix
    )
  }
}
