#if ServiceLifecycle
  public import ServiceLifecycle

  /// Runs a queue of transfers as a service: it ends with the graceful shutdown of its service group.
  ///
  /// Add it to the services of a group whose `gracefulShutdownSignals` contain SIGTERM.
  ///
  /// ```swift
  /// let queue = TransferQueue(limit: 8)
  /// let service = TransferQueueService(queue, gracePeriod: .seconds(20)) {
  ///   print("cancelling \(queue.transfers.count) transfers")
  /// }
  /// ```
  public struct TransferQueueService: Service {
    private let queue: TransferQueue
    private let gracePeriod: Duration
    private let expiration: @Sendable () async -> Void

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - gracePeriod: The time that members have to finish after the shutdown has begun. The group may end it early.
    ///   - expiration: Called once, if members still execute at the end of the period, before they are cancelled.
    public init(
      _ queue: TransferQueue,
      gracePeriod: Duration,
      expiration: @escaping @Sendable () async -> Void = {}
    ) {
      self.queue = queue
      self.gracePeriod = gracePeriod
      self.expiration = expiration
    }

    /// Waits for the shutdown or the cancellation of the service, and returns when all members have finished.
    public func run() async throws {
      try? await gracefulShutdown()
      await queue.shutdown(gracePeriod: gracePeriod, expiration: expiration)
    }
  }
#endif
