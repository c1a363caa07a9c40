#if ServiceLifecycle
  import ServiceLifecycle
  public import StagecoachCore
  import Synchronization

  /// A lease on a server: it expires a period after the graceful shutdown of its service group has begun.
  ///
  /// Begin it in the `run()` of a service. Elsewhere it never expires.
  public final class GracefulShutdownLease: BackgroundLease {
    private let gracePeriod: Duration
    private let clock: any TimeSource
    private let watch = Mutex<Task<Void, Never>?>(nil)

    /// Creates a lease.
    ///
    /// - Parameters:
    ///   - gracePeriod: The time from the beginning of the shutdown until the lease expires.
    ///   - clock: The clock of the period.
    public init(gracePeriod: Duration, clock: any TimeSource = SystemTime()) {
      self.gracePeriod = gracePeriod
      self.clock = clock
    }

    /// Waits for the shutdown of the service whose task calls this.
    public func begin(expiration: @escaping @Sendable () -> Void) {
      // A task inherits the service group that it belongs to.
      let task = Task { [gracePeriod, clock] in
        do {
          try await gracefulShutdown()
          try await clock.sleep(until: clock.now.advanced(by: gracePeriod))
        } catch {
          return
        }
        expiration()
      }
      watch.withLock { $0 = task }
    }

    /// Stops waiting.
    public func end() {
      watch.withLock { task in
        task?.cancel()
        task = nil
      }
    }
  }
#endif
