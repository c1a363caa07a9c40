#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The clock of a client, used for deadlines, delays and timings. Tests can replace it by ``ManualTime`` for
/// reproducible exchanges.
public protocol TimeSource: Sendable {
  /// The current instant of a monotonic clock.
  var now: ContinuousClock.Instant { get }

  /// The current date, for dates from servers such as the expiry of a cookie or Retry-After. It may be changed at any
  /// time, so it is not used for measuring.
  var date: Date { get }

  /// Waits until an instant.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(until instant: ContinuousClock.Instant) async throws
}

extension TimeSource {
  /// The date of the system.
  public var date: Date { Date() }
}

/// The system's monotonic clock, which includes the time that the machine sleeps.
public struct SystemTime: TimeSource {
  /// Creates the system's clock.
  public init() {}

  /// The current instant.
  public var now: ContinuousClock.Instant { ContinuousClock.now }

  /// Waits until an instant, for at most a hundred years.
  public func sleep(until instant: ContinuousClock.Instant) async throws {
    // The runtime counts in 64 bits and traps on later instants.
    try await SleepQueue.shared.sleep(until: min(instant, now.advanced(by: .seconds(100 * 365 * 86_400))))
  }
}
