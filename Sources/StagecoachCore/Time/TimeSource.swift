#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The clock of a client: every deadline, delay and timing is measured on it, so that a test can
/// inject its own (``ManualTime``) and an exchange becomes reproducible.
public protocol TimeSource: Sendable {
  /// The current instant of a clock that never goes back.
  var now: ContinuousClock.Instant { get }

  /// The date, for what servers date: the life of a cookie, a Retry-After; it may be set back at any time, so
  /// nothing is measured by it.
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

/// The system's monotonic clock, which also runs while the machine sleeps.
public struct SystemTime: TimeSource {
  /// The system's clock.
  public init() {}

  /// The current instant.
  public var now: ContinuousClock.Instant { ContinuousClock.now }

  /// Waits until an instant, for a hundred years at most.
  public func sleep(until instant: ContinuousClock.Instant) async throws {
    // The runtime counts in 64 bits and traps on instants beyond them.
    try await ContinuousClock().sleep(until: min(instant, now.advanced(by: .seconds(100 * 365 * 86_400))))
  }
}
