public import HTTPTypes
public import StagecoachCore

/// The state of an ``EngineTransfer``, to be kept under its lock: the phase with its timeout, the caller that waits for
/// the response head, and the body with its reader.
public struct TransferState<Head: Sendable>: Sendable {
  /// The phase of a transfer, which decides its timeout.
  public enum Phase: Sendable, Hashable {
    /// For a connection; `poolTimeout`.
    case waiting
    /// For its own connection to be made; `connectTimeout`.
    case connecting
    /// For the peer to take the request; `idleTimeout` between two chunks.
    case sending
    /// For the response head, with the request sent; `headTimeout`.
    case waitingForHead
    /// For the response body; `idleTimeout`, while a reader waits.
    case receiving
  }

  /// The current phase. It changes with ``enter(_:of:)``.
  public private(set) var phase = Phase.waiting
  /// The chunks that wait for the reader of the response body.
  public var inbox = BodyInbox()
  /// The trailer fields, known at the end of the body.
  public var trailers: HTTPFields?
  /// When the transfer was queued behind others; `nil` if it was not.
  public private(set) var queued: ContinuousClock.Instant?
  /// Whether the request was written completely.
  public var isRequestSent = false

  /// Resumed exactly once: by the code that takes it out of the state, without the lock.
  @usableFromInline var head: UnsafeContinuation<Head, any Error>?
  @usableFromInline var timeout: Timeout?

  /// Creates the state of a transfer that has not begun.
  public init() {}

  /// How the transfer ended; `nil` while it runs.
  public var end: Result<Void, any Error>? { inbox.end }

  /// Whether the transfer waits for the response head.
  package var isWaitingForHead: Bool { head != nil }

  /// Moves to a phase, whose timeout starts now.
  ///
  /// - Returns: False if the transfer has ended, which changes nothing.
  @discardableResult
  public mutating func enter(_ phase: Phase, of request: Request) -> Bool {
    guard end == nil else { return false }
    self.phase = phase
    restartTimeout(of: request)
    return true
  }

  /// Starts the timeout of the phase again, since there was progress.
  public func restartTimeout(of request: Request) {
    restartTimeout(after: phase == .receiving ? nil : phase.limit(of: request.options))
  }

  /// Sets the timeout to a duration from now; `nil` for none.
  public func restartTimeout(after duration: Duration?) {
    timeout?.restart(after: duration)
  }

  /// Marks the transfer as queued.
  public mutating func queue(at now: ContinuousClock.Instant) {
    queued = now
  }

  /// Takes the caller that waits for the response head, to be resumed without the lock.
  public mutating func takeHead() -> UnsafeContinuation<Head, any Error>? {
    defer { head = nil }
    return head
  }

  /// Takes the reader that waits for a chunk, if there is one for it now, to be resumed without the lock.
  public mutating func serve() -> BodyInbox.Served? {
    guard let served = inbox.serve() else { return nil }
    restartTimeout(after: nil)
    return served
  }

  /// Ends the transfer.
  ///
  /// An `ExchangeError` that does not say whether the request may have been sent gets that from the phase.
  ///
  /// - Returns: What waits for the end, to be resumed without the lock; `nil` if the transfer had ended before.
  public mutating func finish(_ result: Result<Void, any Error>) -> TransferEnding<Head>? {
    guard end == nil else { return nil }
    let result = result.mapError { error in
      guard var error = error as? ExchangeError, error.requestMayHaveBeenSent == nil else { return error }
      error.requestMayHaveBeenSent = phase != .waiting && phase != .connecting
      return error
    }
    inbox.finish(result)
    timeout?.end()
    timeout = nil
    return TransferEnding(result: result, head: takeHead(), reader: inbox.serve())
  }

  /// The timeout of the phase that the transfer is in.
  @usableFromInline
  struct Timeout: Sendable {
    let watchdog: Watchdog
    let watch: Watchdog.Watch

    @usableFromInline
    init(_ duration: Duration?, on watchdog: Watchdog, expire: @escaping @Sendable () -> Void) {
      self.watchdog = watchdog
      watch = watchdog.watch(for: duration, expire: expire)
    }

    func restart(after duration: Duration?) { watchdog.move(watch, to: duration) }

    @usableFromInline
    func end() { watchdog.remove(watch) }
  }
}

extension TransferState.Phase {
  /// The timeout of the phase.
  package func limit(of options: RequestOptions) -> Duration? {
    switch self {
    case .waiting: options.poolTimeout
    case .connecting: options.connectTimeout
    case .waitingForHead: options.headTimeout
    case .sending, .receiving: options.idleTimeout
    }
  }

  /// The error of a phase that lasted too long.
  public func expiry(of options: RequestOptions) -> ExchangeError {
    let limit = limit(of: options) ?? .zero
    return switch self {
    case .waiting: .timeout(.pool, after: limit)
    case .connecting: .timeout(.connect, after: limit)
    case .waitingForHead: .timeout(.head, after: limit)
    case .sending, .receiving: .timeout(.idle, after: limit)
    }
  }
}

/// The tasks that wait for the end of a transfer, resumed once and without its lock.
public struct TransferEnding<Head: Sendable>: Sendable {
  /// How the transfer ended.
  public let result: Result<Void, any Error>
  let head: UnsafeContinuation<Head, any Error>?
  let reader: BodyInbox.Served?

  /// Resumes the caller that waits for the response head, and the reader of the body.
  ///
  /// - Parameter head: The head of a response that ends with it; otherwise a transfer that ends without a head fails.
  public func resume(with head: Head? = nil) {
    if let waiting = self.head {
      switch (result, head) {
      case (.failure(let error), _): waiting.resume(throwing: error)
      case (.success, let head?): waiting.resume(returning: head)
      case (.success, nil):
        waiting.resume(
          throwing: ExchangeError(.protocolViolation, "the exchange ended without a response")
        )
      }
    }
    reader?.resume()
  }
}
