public import HTTPTypes

/// An event of an exchange.
///
/// Events of one attempt are in order; ``sequence`` orders all events of an exchange. Events contain no secrets.
public struct Event: Sendable {
  /// The exchange that the event belongs to.
  public let exchange: Exchange.ID
  /// The number of redirects that led to the request of the event; 0 for the start and the end of the exchange.
  public let hop: Int
  /// The number of the attempt within the hop, starting at 1; 1 for the start and the end of the exchange.
  public let attempt: Int
  /// The position among the events of the exchange, starting at 0.
  public let sequence: Int
  /// The time of the event, on the clock of the client.
  public let time: ContinuousClock.Instant
  /// The time since the start of the exchange.
  public let elapsed: Duration
  /// The kind of event.
  public let kind: Kind

  /// The kind of event, with its details.
  @nonexhaustive
  public enum Kind: Sendable {
    /// A call started with this request. The first event; the last is exactly one of ``exchangeFinished``,
    /// ``exchangeFailed(_:)`` and ``exchangeCancelled``.
    case exchangeStarted(HTTPRequest)
    /// The exchange succeeded, including its body.
    case exchangeFinished
    /// The exchange failed with an error.
    case exchangeFailed(any Error)
    /// The task of the exchange was cancelled, or its body was dropped unread.
    case exchangeCancelled
    /// The exchange has this much time to finish.
    case deadlineSet(Duration)

    /// A stage was entered.
    case stageEntered(String)
    /// A stage returned a response with this status.
    case stageReturned(String, HTTPResponse.Status)
    /// A stage threw an error.
    case stageFailed(String, any Error)

    /// A connection event: waiting, acquired, released or closed.
    case connection(ConnectionEvent)
    /// The head of the request was written.
    case requestHeadSent
    /// Bytes of the request body were passed to the transport.
    case requestBodyProgress(bytes: Int64, of: Int64?)
    /// The request was sent completely.
    case requestSent
    /// The request was sent in part, and the rest will not be sent.
    case requestFailed

    /// An informational response arrived, before the final response (RFC 9110 15.2).
    case informationalResponse(HTTPResponse)
    /// The head of the response arrived.
    case responseHeadReceived(HTTPResponse)
    /// Bytes of the response body reached the reader.
    case responseBodyProgress(bytes: Int64, of: Int64?)
    /// Trailer fields arrived.
    case responseTrailers(HTTPFields)
    /// The response body was read to its end.
    case responseFinished(bytes: Int64)
    /// The response body failed or was dropped.
    case responseBodyFailed

    /// Validation accepted the response.
    case validationPassed
    /// Validation refused the response.
    case validationFailed(ExchangeError.Kind)

    /// A serializer with this name started.
    case serializationStarted(String)
    /// The serializer finished.
    case serializationFinished(String)
    /// The serializer failed.
    case serializationFailed(String, any Error)

    /// The peer violated the protocol in a harmless way, described by the text.
    case violationTolerated(String)
    /// A limit was exceeded.
    case limitReached(ExchangeError.Limit)

    /// An event of a stage or serializer, with a type of its own; match it with `case .stage(let event as
    /// RedirectEvent)`.
    case stage(any StageEvent)
  }
}

/// A custom event of a stage or a serializer, emitted with `request.emit(event)`.
///
/// ```swift
/// struct SlowAnswer: StageEvent {
///   var time: Duration
///   var description: String { "took \(time)" }
/// }
/// request.emit(SlowAnswer(time: .seconds(4)))
/// ```
public protocol StageEvent: Sendable, CustomStringConvertible {
  /// The time that the request waited, if this event ends a wait; `nil` by default.
  var waited: Duration? { get }
}

extension StageEvent {
  /// The default: the event ends no wait.
  public var waited: Duration? { nil }
}

/// Observes exchanges, for example to log, measure, report progress or record.
///
/// ```swift
/// struct Log: EventMonitor {
///   func receive(_ event: Event) {
///     if case .responseHeadReceived(let head) = event.kind { print(event.exchange, head.status) }
///   }
/// }
/// let client = try Client(over: transport, configuration: .init(monitors: [Log()]))
/// ```
///
/// A monitor that measures can create an observer for each exchange, which keeps the state of that exchange. Attempts
/// that run at the same time (hedging) emit at the same time, so the state is atomic or behind a lock:
///
/// ```swift
/// import Synchronization
///
/// struct Attempts: EventMonitor {
///   func observer(of exchange: Exchange.ID, options: RequestOptions) -> any EventMonitor { Observer() }
///
///   private final class Observer: EventMonitor {
///     private let heads = Atomic(0)
///
///     func receive(_ event: Event) {
///       switch event.kind {
///       case .responseHeadReceived: heads.add(1, ordering: .relaxed)
///       case .exchangeFinished: print(event.exchange, heads.load(ordering: .relaxed))
///       default: break
///       }
///     }
///   }
/// }
/// ```
public protocol EventMonitor: Sendable {
  /// Returns the observer of a new exchange; the monitor itself by default.
  ///
  /// - Parameters:
  ///   - exchange: The identifier of the exchange.
  ///   - options: The options of its request, inherited ones included. Tags of the caller are among them: options of
  ///     one's own (``RequestOption``).
  func observer(of exchange: Exchange.ID, options: RequestOptions) -> any EventMonitor

  /// Receives an event, on the thread where it happened. Must return quickly, because the exchange waits. Does nothing
  /// by default, for monitors that create observers.
  func receive(_ event: Event)
}

extension EventMonitor {
  /// Returns the monitor itself.
  public func observer(of exchange: Exchange.ID, options: RequestOptions) -> any EventMonitor { self }

  /// Does nothing.
  public func receive(_ event: Event) {}
}
