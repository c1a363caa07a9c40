import HTTPTypes
import StagecoachCore
import Synchronization

/// The response of a recorded reply, prepared once: with its codings, and with the length that its content has now.
final class ReplayedReply: Sendable {
  private let reply: Scenario.Reply
  private let content: Bytes
  private let head: HTTPResponse?
  private let version: HTTPVersion?
  /// Whether it comes as a whole: no chunks, trailers or failure.
  private let isPlain: Bool
  /// Asked for each request: to look into the recorded reply is to copy it.
  private let hasBody: Bool
  /// Whether the content was not recorded.
  let isOmitted: Bool
  /// The secrets of the recorded reply; `nil` if it has none.
  let secrets: RedactedMessage?

  init(_ reply: Scenario.Reply, _ secrets: RedactedMessage? = nil) {
    self.reply = reply
    self.secrets = secrets
    hasBody = reply.body != nil
    isOmitted = reply.body?.omission != nil
    let content = reply.body.map(Self.coded) ?? Bytes()
    self.content = content
    version = reply.head?.version.flatMap(Self.version)
    isPlain =
      reply.outcome.kind == .complete && reply.trailers == nil && reply.informational.isEmpty
      && reply.body?.chunks.isEmpty != false
    var head = reply.head?.response
    // A length that was recorded is that of the coded content, with secrets in it.
    if reply.outcome.kind == .complete, reply.body != nil, head?.headerFields[.contentLength] != nil {
      head?.headerFields[.contentLength] = "\(content.count)"
    }
    if let body = reply.body, var fields = head?.headerFields,
      secrets?.hidesBody == true || !body.codings.isEmpty
    {
      ContentDigests.renew(in: &fields, of: content.array, isPartial: head?.status == .partialContent)
      head?.headerFields = fields
    }
    self.head = head
  }

  /// Returns the reply with values in place of secrets.
  func repeating(_ values: [Placeholder: [UInt8]]) -> ReplayedReply {
    guard !values.isEmpty, let secrets else { return self }
    let message = secrets.filled { values[$0] }
    var copy = reply
    copy.head?.response.headerFields = message.fields
    if copy.trailers != nil { copy.trailers = message.trailers }
    if let content = message.body, copy.body?.omission == nil { copy.body?.bytes = content }
    return ReplayedReply(copy, secrets)
  }

  /// The content with its codings.
  private static func coded(_ body: Scenario.Body) -> Bytes {
    guard !body.codings.isEmpty else { return body.bytes }
    return Bytes(body.codings.reduce(body.bytes.array) { StoredCoding.encode($0, as: $1) ?? $0 })
  }

  private static func version(_ text: String) -> HTTPVersion? {
    let numbers = text.split(separator: ".").map { UInt8($0) }
    guard let major = numbers.first ?? nil, numbers.count <= 2 else { return nil }
    return HTTPVersion(major: major, minor: numbers.count > 1 ? numbers[1] ?? 0 : 0)
  }

  /// The response, if nothing has to be waited for or told before it.
  func plainResponse(to request: Request, _ timing: ReplayTransport.Timing) -> Response? {
    guard isPlain, timing == .immediate, request.method != .head, let head else { return nil }
    return Response(head: head, body: body(timing, request.clock), version: version)
  }

  func response(to request: Request, _ timing: ReplayTransport.Timing) async throws -> Response {
    for head in reply.informational {
      request.emit(.informationalResponse(Redaction.head(head.response)))
      request.options.informationalResponseHandler?(head.response)
    }
    guard let head, let recorded = reply.head else { throw Self.failure(reply.outcome, hasHead: false) }
    if case .recorded(let factor) = timing, let time = recorded.time {
      try await request.clock.sleep(until: request.clock.now + time * factor)
    }
    // The length in a response to HEAD is that of content that does not come.
    guard request.method != .head else { return Response(head: recorded.response, version: version) }
    return Response(head: head, body: body(timing, request.clock), version: version)
  }

  private func body(_ timing: ReplayTransport.Timing, _ clock: any TimeSource) -> Response.Body {
    guard hasBody || !isPlain else { return .empty }
    if isPlain { return .bytes(content) }
    let factor: Double? = if case .recorded(let factor) = timing { factor } else { nil }
    let length = reply.body?.framing == .length ? Int64(content.count) : nil
    return Response.Body(source: ReplayedBody(reply, content, factor, clock), length: length)
  }

  /// The error of a recorded failure.
  static func failure(_ outcome: Scenario.Outcome, hasHead: Bool) -> any Error {
    let message = outcome.detail.map { ": \($0)" } ?? ""
    let kind: ExchangeError.Kind =
      switch outcome.kind {
      case .complete, .cancelled: .bodyCancelled
      case .reset: .connectionReset
      case .truncated: hasHead ? .incompleteBody : .connectionReset
      case .timeout: .timeout(outcome.detail.flatMap(ExchangeError.Phase.init(rawValue:)) ?? .idle)
      case .dns: .nameResolution
      case .refused: .connectionRefused
      case .unreachable: .connectionFailed
      case .tls: .tls(outcome.detail.flatMap(ExchangeError.TLSFailure.init(rawValue:)) ?? .handshake)
      case .protocol: .protocolViolation
      }
    if outcome.kind == .cancelled { return CancellationError() }
    var error = ExchangeError(kind, "the recorded exchange ended with \(outcome.kind.rawValue)\(message)")
    switch outcome.kind {
    case .dns, .refused, .unreachable, .tls: error.requestMayHaveBeenSent = false
    default: error.requestMayHaveBeenSent = true
    }
    return error
  }
}

/// The chunks of a recorded body, then its trailers or its failure.
final class ReplayedBody: BodySource {
  private struct State {
    var rest: Bytes
    var chunk = 0
    var isAtEnd = false
    var isCancelled = false
  }

  private let reply: Scenario.Reply
  private let factor: Double?
  private let clock: any TimeSource
  private let state: Mutex<State>

  init(_ reply: Scenario.Reply, _ content: Bytes, _ factor: Double?, _ clock: any TimeSource) {
    self.reply = reply
    self.factor = factor
    self.clock = clock
    state = Mutex(State(rest: content))
  }

  func next() async throws -> Bytes? {
    let (chunk, delay) = try state.withLock { state throws -> (Bytes?, Duration) in
      guard !state.isCancelled else { throw CancellationError() }
      guard !state.rest.isEmpty else { return (nil, .zero) }
      let recorded = reply.body?.chunks ?? []
      var (size, delay) = (state.rest.count, Duration.zero)
      if state.chunk < recorded.count {
        size = min(max(recorded[state.chunk].bytes, 1), state.rest.count)
        delay = recorded[state.chunk].delay
        state.chunk += 1
      }
      defer { state.rest = state.rest.dropFirst(size) }
      return (state.rest.prefix(size), delay)
    }
    if let factor, delay > .zero { try await clock.sleep(until: clock.now + delay * factor) }
    guard chunk == nil else { return chunk }
    guard reply.outcome.kind == .complete else { throw ReplayedReply.failure(reply.outcome, hasHead: true) }
    state.withLock { $0.isAtEnd = true }
    return nil
  }

  var trailers: HTTPFields? { state.withLock(\.isAtEnd) ? reply.trailers : nil }

  func cancel() { state.withLock { $0.isCancelled = true } }
}
