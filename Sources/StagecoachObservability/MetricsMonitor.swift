#if Metrics
  import HTTPTypes
  public import CoreMetrics
  public import StagecoachCore
  import Synchronization

  /// A monitor that counts and measures exchanges with swift-metrics.
  ///
  /// ```swift
  /// let client = try Client(over: transport, configuration: .init(monitors: [MetricsMonitor()]))
  /// ```
  ///
  /// | metric | kind | dimensions | what |
  /// |---|---|---|---|
  /// | `http.client.request.duration` | timer | method, outcome | an exchange with its body |
  /// | `http.client.response.head` | timer | method, status | from the start of the exchange to a head of the network |
  /// | `http.client.response.body.size` | recorder, bytes | method | a body that was read to its end |
  /// | `http.client.active_requests` | meter | | exchanges that have started but not ended |
  ///
  /// The outcome is a class of statuses (`2xx`), the kind of an error (`timeout.head`), or `cancelled`. Methods other
  /// than those of RFC 9110 and PATCH are `other`, and URLs are not a dimension: so the number of series stays small,
  /// and they contain no secrets.
  public struct MetricsMonitor: EventMonitor {
    private let factory: any MetricsFactory
    private let active: Meter

    /// Creates a monitor.
    ///
    /// - Parameter factory: The factory of the metrics; the one of the metrics system by default.
    public init(factory: any MetricsFactory = MetricsSystem.factory) {
      self.factory = factory
      active = Meter(label: "http.client.active_requests", dimensions: [], factory: factory)
    }

    /// Returns an observer that counts and measures one exchange.
    public func observer(of exchange: Exchange.ID, options: RequestOptions) -> any EventMonitor {
      MetricsObserver(factory, active)
    }
  }

  /// Counts and measures one exchange.
  private final class MetricsObserver: EventMonitor {
    private struct Summary {
      let method: String
      let start: ContinuousClock.Instant
      var response = FinalStatus()
    }

    private static let methods: Set<String> = [
      "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
    ]

    private let factory: any MetricsFactory
    private let active: Meter
    private let summary = Mutex<Summary?>(nil)

    init(_ factory: any MetricsFactory, _ active: Meter) {
      self.factory = factory
      self.active = active
    }

    func receive(_ event: Event) {
      switch event.kind {
      case .exchangeStarted(let head):
        let method = Self.methods.contains(head.method.rawValue) ? head.method.rawValue : "other"
        summary.withLock { $0 = Summary(method: method, start: event.time) }
        active.increment(by: 1.0)
      case .responseHeadReceived(let head):
        guard let summary = summary.withLock({ $0 }) else { return }
        let dimensions = [("method", summary.method), ("status", "\(head.status.code)")]
        record("http.client.response.head", dimensions, event.time - summary.start)
      case .stageEntered, .stageReturned, .stageFailed:
        summary.withLock { $0?.response.note(event.kind) }
      case .responseFinished(let bytes):
        guard let method = summary.withLock({ $0?.method }) else { return }
        Recorder(label: "http.client.response.body.size", dimensions: [("method", method)], factory: factory)
          .record(bytes)
      case .exchangeFinished: end(event, failure: nil)
      case .exchangeFailed(let error):
        end(event, failure: (error as? ExchangeError)?.kind.description ?? "other")
      case .exchangeCancelled: end(event, failure: "cancelled")
      default: break
      }
    }

    private func end(_ event: Event, failure: String?) {
      guard let summary = summary.withLock({ $0.take() }) else { return }
      active.decrement(by: 1.0)
      let outcome = failure ?? summary.response.status.map { "\($0.code / 100)xx" } ?? "none"
      let dimensions = [("method", summary.method), ("outcome", outcome)]
      record("http.client.request.duration", dimensions, event.time - summary.start)
    }

    private func record(_ label: String, _ dimensions: [(String, String)], _ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      CoreMetrics.Timer(label: label, dimensions: dimensions, factory: factory)
        .recordNanoseconds(seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
    }
  }
#endif
