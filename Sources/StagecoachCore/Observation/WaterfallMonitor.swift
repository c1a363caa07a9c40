import Synchronization

/// A monitor that hands on the waterfall of each exchange at its end.
///
/// ```swift
/// let client = try Client(over: transport, configuration: .init(monitors: [WaterfallMonitor { print($0) }]))
/// ```
public final class WaterfallMonitor: EventMonitor {
  /// The most events that are kept of an exchange, without those of progress.
  private static let eventLimit = 1000

  private let exchangeLimit: Int
  private let report: @Sendable (Waterfall) -> Void
  private let exchanges = Mutex<[Exchange.ID: [Event]]>([:])

  /// A monitor.
  ///
  /// - Parameters:
  ///   - exchangeLimit: How many exchanges are followed at a time, 1000 by default; of more there is no waterfall.
  ///   - report: Takes a waterfall, on the thread where the exchange ended. Must return soon.
  public init(exchangeLimit: Int = 1000, _ report: @escaping @Sendable (Waterfall) -> Void) {
    self.exchangeLimit = exchangeLimit
    self.report = report
  }

  /// Keeps an event until its exchange has ended.
  public func receive(_ event: Event) {
    switch event.kind {
    case .requestBodyProgress, .responseBodyProgress: return
    case .exchangeStarted:
      exchanges.withLock { if $0.count < exchangeLimit { $0[event.exchange] = [event] } }
    case .exchangeFinished, .exchangeFailed, .exchangeCancelled:
      if let events = exchanges.withLock({ $0.removeValue(forKey: event.exchange) }) {
        report(Waterfall(events + [event]))
      }
    default:
      exchanges.withLock { exchanges in
        guard let index = exchanges.index(forKey: event.exchange),
          exchanges.values[index].count < Self.eventLimit
        else { return }
        exchanges.values[index].append(event)
      }
    }
  }
}
