import HTTPTypes
import StagecoachCore
import Synchronization

/// A limit for the retries to each origin, so that retries do not multiply the load on a failing server.
///
/// Within any ``window``, an origin gets ``minimum`` retries plus ``share`` of its requests. The counts are those of
/// the current window and a proportional part of the previous one. The budget never blocks first attempts, only
/// retries.
public final class RetryBudget: Sendable {
  /// The time over which requests and retries are counted; 10 s by default.
  public let window: Duration
  /// The number of free retries of an origin in a window; 10 by default.
  public let minimum: Int
  /// The number of retries per request; 0.2 by default.
  public let share: Double

  private struct Count {
    var requests = 0
    var retries = 0
  }

  /// The counts of an origin.
  private struct Ledger {
    var start: ContinuousClock.Instant
    var present = Count()
    var past = Count()

    /// Makes the window that an instant is in the present one.
    mutating func move(to now: ContinuousClock.Instant, _ window: Duration) {
      let age = now - start
      guard age >= window else { return }
      past = age < window * 2 ? present : Count()
      present = Count()
      start = age < window * 2 ? start.advanced(by: window) : now
    }
  }

  /// The maximum number of origins; the least recently used ones are removed first.
  static let maximumOrigins = 1024

  private let ledgers = Mutex<[TargetURI.Origin?: Ledger]>([:])

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - minimum: The number of free retries of an origin in a window.
  ///   - share: The number of retries per request, 0 to 1.
  ///   - window: The time over which both are counted, at least a millisecond.
  public init(minimum: Int = 10, share: Double = 0.2, window: Duration = .seconds(10)) {
    self.minimum = max(0, minimum)
    self.share = share.isNaN ? 0 : min(max(0, share), 1)
    self.window = min(max(window, .milliseconds(1)), .seconds(86_400))
  }

  /// A budget without a limit.
  public static var unlimited: RetryBudget { RetryBudget(minimum: .max) }

  /// Counts a request.
  func count(_ request: Request) {
    guard minimum < .max else { return }
    update(request) { ledger, _ in ledger.present.requests += 1 }
  }

  /// Takes one retry out of the budget.
  ///
  /// - Returns: Whether there was one left.
  func withdraw(for request: Request) -> Bool {
    guard minimum < .max else { return true }
    return update(request) { ledger, now in
      let weight = min(max(0, 1 - (now - ledger.start) / window), 1)
      let requests = Double(ledger.present.requests) + Double(ledger.past.requests) * weight
      let retries = Double(ledger.present.retries) + Double(ledger.past.retries) * weight
      guard retries + 1 <= Double(minimum) + requests * share else { return false }
      ledger.present.retries += 1
      return true
    }
  }

  private func update<Result: Sendable>(
    _ request: Request,
    _ change: (inout Ledger, ContinuousClock.Instant) -> Result
  ) -> Result {
    let now = request.clock.now
    let origin = TargetURI.Origin(request.head)
    func update(_ ledger: inout Ledger) -> Result {
      ledger.move(to: now, window)
      return change(&ledger, now)
    }
    return ledgers.withLock { ledgers in
      if ledgers.count >= Self.maximumOrigins, ledgers[origin] == nil { forget(&ledgers, now) }
      return update(&ledgers[origin, default: Ledger(start: now)])
    }
  }

  private func forget(_ ledgers: inout [TargetURI.Origin?: Ledger], _ now: ContinuousClock.Instant) {
    ledgers = ledgers.filter { now - $0.value.start < window * 2 }
    if ledgers.count >= Self.maximumOrigins { ledgers.removeAll() }
  }
}
