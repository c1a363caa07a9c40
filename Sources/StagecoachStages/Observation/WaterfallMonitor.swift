public import StagecoachCore
import Synchronization

/// A monitor that reports the waterfall of each exchange at its end.
///
/// ```swift
/// let client = try Client(over: transport, configuration: .init(monitors: [WaterfallMonitor { print($0) }]))
/// ```
public struct WaterfallMonitor: EventMonitor {
  private let report: @Sendable (Waterfall) -> Void

  /// Creates a monitor.
  ///
  /// - Parameter report: Receives a waterfall, on the thread where the exchange ended. Must return quickly.
  public init(_ report: @escaping @Sendable (Waterfall) -> Void) {
    self.report = report
  }

  /// Returns an observer that keeps the events of one exchange until it has ended.
  public func observer(of exchange: Exchange.ID, options: RequestOptions) -> any EventMonitor {
    Observer(report)
  }

  private final class Observer: EventMonitor {
    /// The maximum number of events that are kept, without progress events.
    private static let limit = 1000

    private let report: @Sendable (Waterfall) -> Void
    private let events = Mutex<[Event]>([])

    init(_ report: @escaping @Sendable (Waterfall) -> Void) {
      self.report = report
    }

    func receive(_ event: Event) {
      switch event.kind {
      case .requestBodyProgress, .responseBodyProgress: return
      case .exchangeFinished, .exchangeFailed, .exchangeCancelled:
        report(Waterfall(events.withLock { $0 } + [event]))
      default:
        events.withLock { events in
          if events.count < Self.limit { events.append(event) }
        }
      }
    }
  }
}
