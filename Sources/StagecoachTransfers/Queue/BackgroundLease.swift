import StagecoachCore
import Synchronization

/// A permission of the system to go on working in the background, for one transfer.
///
/// A transfer begins its lease once and ends it once; see ``Transfer/keepAlive(with:onExpiration:)``.
public protocol BackgroundLease: AnyObject, Sendable {
  /// Asks for time.
  ///
  /// - Parameter expiration: To be called, from any thread, when the time is up; also at once, if there is none.
  func begin(expiration: @escaping @Sendable () -> Void)

  /// Returns the permission: the transfer needs no more time.
  func end()
}

extension Transfer {
  /// Keeps a lease until the transfer has finished.
  ///
  /// When the time is up, the handler is called, then the transfer is cancelled, and once it has finished the lease
  /// ends. The bytes of an unfinished download are kept. The lease also ends if a paused transfer is released.
  ///
  /// - Parameters:
  ///   - lease: The lease, which is used for this transfer only.
  ///   - onExpiration: Called when the time is up, on the thread that reports it.
  /// - Returns: Whether the lease began: not if the transfer has finished, or had a lease before.
  @discardableResult
  public func keepAlive(
    with lease: any BackgroundLease,
    onExpiration: (@Sendable () -> Void)? = nil
  ) -> Bool {
    guard state != .finished, !wasLeased.exchange(true, ordering: .relaxed) else { return false }
    let tenancy = LeaseTenancy(lease)
    lease.begin { [weak self] in
      guard tenancy.expire() else { return }
      onExpiration?()
      self?.cancel()
    }
    stateChanges.observe(onEnd: { tenancy.end() }) { state in
      if state == .finished { tenancy.end() }
    }
    return true
  }
}

/// A lease that has begun: it expires at most once, not after its end, and ends once.
private final class LeaseTenancy: Sendable {
  /// The lease until it has ended, which may itself hold what it calls on expiry.
  private let state: Mutex<(lease: (any BackgroundLease)?, isExpired: Bool)>

  init(_ lease: any BackgroundLease) {
    state = Mutex((lease, false))
  }

  func expire() -> Bool {
    state.withLock { state in
      guard state.lease != nil, !state.isExpired else { return false }
      state.isExpired = true
      return true
    }
  }

  func end() {
    let lease = state.withLock { state in
      defer { state.lease = nil }
      return state.lease
    }
    lease?.end()
  }
}
