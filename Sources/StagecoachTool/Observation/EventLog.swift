#if Tool
  import HTTPTypes
  import Stagecoach
  import Synchronization

  /// Records the events of exchanges, without progress events, of which a long body has many.
  final class EventLog: EventMonitor {
    /// Enough events for some thousand attempts. Beyond that each new event replaces the last, so that
    /// the end of the exchange is known.
    private static let limit = 50_000

    private let log = Mutex<[Event]>([])

    func receive(_ event: Event) {
      switch event.kind {
      case .requestBodyProgress, .responseBodyProgress: return
      default: break
      }
      log.withLock { events in
        if events.count == Self.limit { events.removeLast() }
        events.append(event)
      }
    }

    /// The events so far, in order.
    var events: [Event] { log.withLock { $0 } }

    /// The head of the first request, complete and without secrets.
    var request: HTTPRequest? {
      events.lazy.compactMap { event in
        if case .exchangeStarted(let head) = event.kind { head } else { nil }
      }.first
    }
  }
#endif
