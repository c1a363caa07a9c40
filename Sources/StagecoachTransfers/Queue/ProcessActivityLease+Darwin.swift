#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
  import Dispatch
  import Foundation

  /// A lease from the system's activities of a process, which works in apps and in extensions.
  ///
  /// The system keeps the process running as long as the lease is held, for a time that it chooses. A thread waits
  /// meanwhile, so use it for the few transfers that the user waits for.
  public final class ProcessActivityLease: BackgroundLease {
    private let reason: String
    private let ended = DispatchSemaphore(value: 0)

    /// Creates a lease.
    ///
    /// - Parameter reason: The reason of the work, shown in diagnostics.
    public init(reason: String) {
      self.reason = reason
    }

    /// Asks the system for time.
    public func begin(expiration: @escaping @Sendable () -> Void) {
      ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { [ended] isExpired in
        // The call that reports the end comes on another thread, while the first one is still waiting.
        if isExpired { expiration() } else { ended.wait() }
      }
    }

    /// Tells the system that the work is done.
    public func end() { ended.signal() }
  }
#endif
