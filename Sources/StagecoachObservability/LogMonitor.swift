#if Logging
  import HTTPTypes
  public import Logging
  public import StagecoachCore
  import Synchronization

  /// A monitor that logs exchanges with swift-log, without secrets.
  ///
  /// ```swift
  /// import Logging
  ///
  /// let logger = Logger(label: "api")
  /// let client = try Client(over: transport, configuration: .init(monitors: [LogMonitor(logger)]))
  /// // info api: GET http://example.com/users/7 · 200 OK · 12.5 ms
  /// ```
  ///
  /// | level | what |
  /// |---|---|
  /// | error | an exchange failed |
  /// | info | an exchange ended, with the last status and the time it took |
  /// | debug | an exchange started; decisions of stages; heads of responses; exceeded limits |
  /// | trace | each stage and serializer, connections, bodies |
  ///
  /// Metadata: `exchange`, `hop` and `attempt` for all entries; `method`, `url`, `status`, `duration` (seconds) and
  /// `error` if they are known.
  public struct LogMonitor: EventMonitor {
    private let logger: Logger

    /// Creates a monitor with a logger.
    ///
    /// - Parameter logger: The logger, whose level determines how much is logged.
    public init(_ logger: Logger) {
      self.logger = logger
    }

    /// Returns an observer that logs the events of one exchange at the level of the logger.
    public func observer(of exchange: Exchange.ID, options: RequestOptions) -> any EventMonitor {
      LogObserver(logger)
    }
  }

  /// Logs the events of one exchange, and keeps the data for the line at its end.
  private final class LogObserver: EventMonitor {
    private struct Summary {
      let request: HTTPRequest
      let start: ContinuousClock.Instant
      var response = FinalStatus()
    }

    private let logger: Logger
    private let summary = Mutex<Summary?>(nil)

    init(_ logger: Logger) {
      self.logger = logger
    }

    func receive(_ event: Event) {
      switch event.kind {
      case .exchangeStarted(let head):
        summary.withLock { $0 = Summary(request: head, start: event.time) }
      case .stageEntered, .stageReturned, .stageFailed:
        summary.withLock { $0?.response.note(event.kind) }
      case .exchangeFinished, .exchangeFailed, .exchangeCancelled:
        return finish(event)
      default: break
      }
      guard let (level, text) = event.kind.entry, level >= logger.logLevel else { return }
      logger.log(level: level, "\(text)", metadata: metadata(of: event))
    }

    private func finish(_ event: Event) {
      let summary = summary.withLock { $0 }
      var metadata = metadata(of: event)
      var words: [String] = []
      if let summary {
        let url = Redaction.url(of: summary.request)
        words.append("\(summary.request.method.rawValue) \(url)".oneLine)
        metadata["method"] = "\(summary.request.method.rawValue)"
        metadata["url"] = "\(url)"
      }
      if let status = summary?.response.status {
        words.append(status.text)
        metadata["status"] = "\(status.code)"
      }
      var level = Logger.Level.info
      switch event.kind {
      case .exchangeFailed(let error):
        level = .error
        let kind = (error as? ExchangeError)?.kind.description ?? "\(type(of: error))"
        words.append("failed: \(Self.message(of: error) ?? kind)".oneLine)
        metadata["error"] = "\(kind)"
      case .exchangeCancelled: words.append("cancelled")
      default: break
      }
      if let summary {
        let seconds = (event.time - summary.start) / .seconds(1)
        words.append("\((seconds * 10_000).rounded() / 10) ms")
        metadata["duration"] = "\(seconds)"
      }
      logger.log(level: level, "\(words.joined(separator: " · "))", metadata: metadata)
    }

    /// Returns the message of an error, if it may be logged: errors of serializers and custom stages may quote
    /// received data.
    private static func message(of error: any Error) -> String? {
      guard let error = error as? ExchangeError else { return nil }
      return switch error.kind {
      case .serialization, .validation, .stage: nil
      default: error.message
      }
    }

    private func metadata(of event: Event) -> Logger.Metadata {
      ["exchange": "\(event.exchange.number)", "hop": "\(event.hop)", "attempt": "\(event.attempt)"]
    }
  }

  extension Event.Kind {
    /// The level and the text of an event; nil for what is not logged: progress would be very many lines.
    fileprivate var entry: (Logger.Level, String)? {
      switch self {
      case .exchangeStarted(let head):
        (.debug, "\(head.method.rawValue) \(Redaction.url(of: head)) started".oneLine)
      case .deadlineSet(let duration): (.debug, "total timeout: \(duration)")
      case .responseHeadReceived(let head): (.debug, "head received: \(head.status.text)")
      case .informationalResponse(let head): (.debug, "informational response: \(head.status.text)")
      case .validationFailed(let kind): (.debug, "refused: \(kind)")
      case .limitReached(let limit): (.debug, "limit exceeded: \(limit)".oneLine)
      case .stage(let event): (.debug, event.description.oneLine)
      case .stageEntered(let name): (.trace, "entered \(name)".oneLine)
      case .stageReturned(let name, let status): (.trace, "\(name) returned \(status.text)".oneLine)
      case .stageFailed(let name, let error):
        (.trace, "\(name) failed: \((error as? ExchangeError)?.kind.description ?? "cancelled")".oneLine)
      case .connection(let event): (.trace, event.description.oneLine)
      case .requestHeadSent: (.trace, "request head sent")
      case .requestSent: (.trace, "request sent")
      case .requestFailed: (.trace, "request not sent completely")
      case .violationTolerated(let violation): (.debug, "tolerated: \(violation)".oneLine)
      case .responseFinished(let bytes): (.trace, "body complete: \(bytes) bytes")
      case .responseBodyFailed: (.trace, "body not read completely")
      case .validationPassed: (.trace, "acceptable")
      case .serializationStarted(let name): (.trace, "\(name) started".oneLine)
      case .serializationFinished(let name): (.trace, "\(name) finished".oneLine)
      case .serializationFailed(let name, _): (.trace, "\(name) failed".oneLine)
      default: nil
      }
    }
  }
#endif
