import HTTPTypes
import StagecoachCore
import Synchronization

/// An exchange that is being recorded.
final class RecordedExchange: Sendable {
  /// An earlier exchange of the same call that led to another one.
  struct Cause: Sendable {
    var kind: Scenario.Cause.Kind
    var position: Int
  }

  /// An exchange for a scenario, with a complete URL as its target.
  struct Result: Sendable {
    var exchange: Scenario.Exchange
    var cause: Cause?
  }

  let position: Int
  private let cause: Cause?
  private let informational = Mutex<[Scenario.Head]>([])
  private let request: Request
  private let sent: BodyCopy
  private let start: ContinuousClock.Instant

  init(_ request: Request, _ sent: BodyCopy, start: ContinuousClock.Instant, position: Int, cause: Cause?) {
    self.request = request
    self.sent = sent
    self.start = start
    self.position = position
    self.cause = cause
  }

  /// Takes an informational response.
  func receive(informational head: HTTPResponse) {
    let time = request.clock.now - start
    informational.withLock { $0.append(Scenario.Head(head, time: time)) }
  }

  /// The method and the host: the path may hold a secret.
  var title: String { "\(request.method) to \(request.head.authority ?? "")" }

  private var url: String {
    "\(request.head.scheme ?? "http")://\(request.head.authority ?? "")\(request.head.path ?? "/")"
  }

  /// The exchange for a scenario, with bodies without codings.
  func result(_ reply: Scenario.Reply) async -> Result {
    var recorded = Scenario.Request(request.method.rawValue, url, fields: request.fields)
    if var body = sent.body(type: request.fields[.contentType], framing: nil) {
      // When the chunks of a request were written says nothing about the service.
      body.chunks = []
      recorded.body = await CodedBody.decoded(body, request.fields, isComplete: true).pretty()
    }
    recorded.trailers = sent.contents.trailers
    var reply = reply
    if let head = reply.head, let body = reply.body {
      let isComplete = reply.outcome.kind == .complete
      reply.body = await CodedBody.decoded(body, head.response.headerFields, isComplete: isComplete).pretty()
    }
    reply.informational = informational.withLock(\.self)
    return Result(exchange: Scenario.Exchange(id: "", request: recorded, reply: reply), cause: cause)
  }

  // MARK: Replies

  func reply(
    _ response: Response,
    at arrival: ContinuousClock.Instant,
    _ received: BodyCopy?,
    _ outcome: Scenario.Outcome
  ) -> Scenario.Reply {
    let head = Scenario.Head(
      response.head,
      version: response.version.map { "\($0.major).\($0.minor)" },
      time: arrival - start
    )
    let framing: Scenario.Body.Framing =
      response.fields[.contentLength] != nil
      ? .length
      : response.fields[.transferEncoding] != nil ? .chunked : response.version == .http10 ? .close : .chunked
    var reply = Scenario.Reply(
      head,
      body: received?.body(type: response.fields[.contentType], framing: framing)
    )
    reply.trailers = received?.contents.trailers
    reply.outcome = outcome
    reply.end = request.clock.now - start
    return reply
  }

  func reply(failing outcome: Scenario.Outcome) -> Scenario.Reply {
    var reply = Scenario.Reply(outcome)
    reply.end = request.clock.now - start
    return reply
  }
}

extension Scenario.Outcome {
  /// The outcome of an exchange that failed; `nil` if that was not the service's doing nor the caller's: the request or the
  /// reply was refused on this side.
  package init?(_ error: any Error) {
    guard let error = error as? ExchangeError else {
      guard error is CancellationError else { return nil }
      self.init(.cancelled)
      return
    }
    switch error.kind {
    case .timeout(.pool), .tls(.identity), .tls(.pinMismatch), .tls(.refused): return nil
    case .nameResolution: self.init(.dns)
    case .connectionRefused: self.init(.refused)
    case .connectionFailed, .proxyRefused: self.init(.unreachable)
    case .connectionReset: self.init(.reset)
    case .incompleteBody: self.init(.truncated)
    case .tls(let failure): self.init(.tls, detail: failure.rawValue)
    case .timeout(let phase): self.init(.timeout, detail: phase.rawValue)
    case .protocolViolation: self.init(.protocol)
    case .bodyCancelled: self.init(.cancelled)
    default: return nil
    }
  }
}

extension Scenario.Body {
  /// The body, for review if its content is JSON whose spacing can be restored.
  func pretty() -> Scenario.Body {
    var copy = self
    if JSONSpacing(of: bytes.array) != nil { copy.form = .pretty }
    return copy
  }
}
