import HTTPTypes
package import StagecoachCore

/// A monitor that keeps what it was told.
package final class EventRecorder: EventMonitor {
  private let log = Log<Event>()

  package init() {}

  package func receive(_ event: Event) { log.add(event) }

  package var events: [Event] { log.all }
  /// The events as words, in the order of their sequence numbers.
  package var words: [String] { events.sorted { $0.sequence < $1.sequence }.map(\.kind.word) }
}

extension Event.Kind {
  /// The event as a word or two, for tests to compare.
  package var word: String {
    switch self {
    case .exchangeStarted(let head): "exchangeStarted(\(head.method))"
    case .exchangeFinished: "exchangeFinished"
    case .exchangeFailed(let error): "exchangeFailed(\(Self.word(error)))"
    case .exchangeCancelled: "exchangeCancelled"
    case .deadlineSet(let duration): "deadlineSet(\(duration))"
    case .stageEntered(let name): "stageEntered(\(name))"
    case .stageReturned(let name, let status): "stageReturned(\(name), \(status.code))"
    case .stageFailed(let name, let error): "stageFailed(\(name), \(Self.word(error)))"
    case .connection(let event): "connection(\(event))"
    case .requestHeadSent: "requestHeadSent"
    case .requestBodyProgress(let bytes, let total):
      "requestBodyProgress(\(bytes)/\(total.map { "\($0)" } ?? "?"))"
    case .requestSent: "requestSent"
    case .requestFailed: "requestFailed"
    case .violationTolerated(let violation): "violationTolerated(\(violation))"
    case .informationalResponse(let head): "informationalResponse(\(head.status.code))"
    case .responseHeadReceived(let head): "responseHeadReceived(\(head.status.code))"
    case .responseBodyProgress(let bytes, let total):
      "responseBodyProgress(\(bytes)/\(total.map { "\($0)" } ?? "?"))"
    case .responseTrailers(let fields): "responseTrailers(\(fields.count))"
    case .responseFinished(let bytes): "responseFinished(\(bytes))"
    case .responseBodyFailed: "responseBodyFailed"
    case .validationPassed: "validationPassed"
    case .validationFailed(let kind): "validationFailed(\(kind))"
    case .serializationStarted(let name): "serializationStarted(\(name))"
    case .serializationFinished(let name): "serializationFinished(\(name))"
    case .serializationFailed(let name, let error): "serializationFailed(\(name), \(Self.word(error)))"
    case .limitReached(let limit): "limitReached(\(limit))"
    case .stage(let event): "\(Self.name(event))(\(event))"
    @unknown default: "unknown"
    }
  }

  /// By names of types, since this target is below those of some.
  private static func name(_ event: any StageEvent) -> String {
    switch "\(type(of: event))" {
    case "RedirectEvent": "redirect"
    case "CookieEvent": "cookies"
    case "AuthenticationEvent": "authentication"
    case "RetryEvent": "retry"
    case "ConcurrencyEvent": "concurrency"
    case "CircuitBreakerEvent": "circuitBreaker"
    case "SerializerChoice": "serializerChosen"
    default: "custom"
    }
  }

  private static func word(_ error: any Error) -> String {
    (error as? ExchangeError).map { "\($0.kind)" } ?? "\(error)"
  }
}
