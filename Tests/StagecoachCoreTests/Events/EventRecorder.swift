import HTTPTypes
import Stagecoach

/// A monitor that keeps what it was told.
final class EventRecorder: EventMonitor {
  private let log = Log<Event>()

  func receive(_ event: Event) { log.add(event) }

  var events: [Event] { log.all }
  /// The events as words, in the order of their sequence numbers.
  var words: [String] { events.sorted { $0.sequence < $1.sequence }.map(\.kind.word) }
}

extension Event.Kind {
  /// The event as a word or two, for tests to compare.
  var word: String {
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
    case .serializerChosen(let choice): "serializerChosen(\(choice))"
    case .serializationFinished(let name): "serializationFinished(\(name))"
    case .serializationFailed(let name, let error): "serializationFailed(\(name), \(Self.word(error)))"
    case .redirect(let event): "redirect(\(event))"
    case .cookies(let event): "cookies(\(event))"
    case .authentication(let event): "authentication(\(event))"
    case .retry(let event): "retry(\(event))"
    case .concurrency(let event): "concurrency(\(event))"
    case .circuitBreaker(let event): "circuitBreaker(\(event))"
    case .limitReached(let limit): "limitReached(\(limit))"
    case .custom(let event): "custom(\(event))"
    @unknown default: "unknown"
    }
  }

  private static func word(_ error: any Error) -> String {
    (error as? ExchangeError).map { "\($0.kind)" } ?? "\(error)"
  }
}
