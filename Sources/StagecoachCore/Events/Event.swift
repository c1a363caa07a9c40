public import HTTPTypes

/// Something that happened in an exchange.
///
/// Events of one attempt come in order; ``sequence`` orders all events of an exchange. Secrets are
/// removed before an event is made.
public struct Event: Sendable {
  /// The exchange.
  public let exchange: Exchange.ID
  /// How many redirects had been followed.
  public let hop: Int
  /// Which attempt of the hop; 1 for the first.
  public let attempt: Int
  /// The position among the events of the exchange, from 0.
  public let sequence: Int
  /// When it happened, on the clock of the client.
  public let time: ContinuousClock.Instant
  /// What happened.
  public let kind: Kind

  /// What happened.
  @nonexhaustive
  public enum Kind: Sendable {
    /// A call began with this request.
    case exchangeStarted(HTTPRequest)
    /// The exchange ended well, with its body.
    case exchangeFinished
    /// The exchange ended with an error.
    case exchangeFailed(any Error)
    /// The task of the exchange was cancelled, or its body was dropped unread.
    case exchangeCancelled
    /// The exchange has to be finished within this time.
    case deadlineSet(Duration)

    /// A stage was entered.
    case stageEntered(String)
    /// A stage returned a response of this status.
    case stageReturned(String, HTTPResponse.Status)
    /// A stage threw.
    case stageFailed(String, any Error)

    /// A connection was waited for, acquired, released or closed.
    case connection(ConnectionEvent)
    /// The head of the request was written.
    case requestHeadSent
    /// Bytes of the request body were handed to the transport.
    case requestBodyProgress(bytes: Int64, of: Int64?)
    /// The request was written completely.
    case requestSent
    /// The request was begun, and will not be written completely.
    case requestFailed

    /// An informational response came (RFC 9110 15.2), which is not the answer yet.
    case informationalResponse(HTTPResponse)
    /// The head of the response came.
    case responseHeadReceived(HTTPResponse)
    /// Bytes of the response body reached the reader.
    case responseBodyProgress(bytes: Int64, of: Int64?)
    /// Trailer fields came.
    case responseTrailers(HTTPFields)
    /// The response body was read to its end.
    case responseFinished(bytes: Int64)
    /// The response body failed or was dropped.
    case responseBodyFailed

    /// The response was found acceptable.
    case validationPassed
    /// The response was refused.
    case validationFailed(ExchangeError.Kind)

    /// A serializer of this name began.
    case serializationStarted(String)
    /// The compound serializer picked a member.
    case serializerChosen(SerializerChoice)
    /// The value is complete.
    case serializationFinished(String)
    /// The serializer failed.
    case serializationFailed(String, any Error)

    /// A redirect was followed or not.
    case redirect(RedirectEvent)
    /// Cookies were sent, stored or refused.
    case cookies(CookieEvent)
    /// A request is sent again, or is not.
    case retry(RetryEvent)
    /// A stage ``Authentication`` was challenged, or decided.
    case authentication(AuthenticationEvent)
    /// A request waited for a slot, or shared an exchange with others.
    case concurrency(ConcurrencyEvent)
    /// A circuit changed its state, or refused a request.
    case circuitBreaker(CircuitBreakerEvent)

    /// The peer broke the protocol, as this says, in a way that does not matter.
    case violationTolerated(String)
    /// A limit was reached.
    case limitReached(ExchangeError.Limit)

    /// An event of a stage outside this library.
    case custom(any CustomEvent)
  }
}

/// An event type of one's own, emitted with `request.emit(.custom(...))`.
public protocol CustomEvent: Sendable, CustomStringConvertible {}

/// Observes exchanges: log, metrics, progress, a recorder.
///
/// ```swift
/// struct Log: EventMonitor {
///   func receive(_ event: Event) {
///     if case .responseHeadReceived(let head) = event.kind { print(event.exchange, head.status) }
///   }
/// }
/// let client = try Client(over: transport, configuration: .init(monitors: [Log()]))
/// ```
public protocol EventMonitor: Sendable {
  /// Takes an event, on the thread where it happened. Must return soon: the exchange waits.
  func receive(_ event: Event)
}
