/// Tells whether this machine has a network, and of which kind.
///
/// ```swift
/// let monitor = SystemNetworkMonitor()
/// for await status in monitor.statuses { label.text = "\(status)" }
/// ```
///
/// A status is a hint and no promise: a path says nothing of a host, only a request does. Nothing in the
/// library holds a request back because of it; see ``RetryPolicy/offlineWait`` for the one thing that waits,
/// after a failure.
public protocol NetworkMonitor: Sendable {
  /// The status as it is known now; `unknown` until it is, and while nobody reads ``statuses``.
  var status: NetworkStatus { get }

  /// The status from now on, for one reader: the present one first, then each change, in order.
  ///
  /// A reader that lags behind loses the oldest of more than 64. The sequence ends when the monitor is shut
  /// down.
  var statuses: AsyncStream<NetworkStatus> { get }
}

/// What connects this machine to others.
@nonexhaustive
public enum NetworkStatus: String, Sendable, Hashable, CaseIterable {
  /// Nobody knows yet, or nobody can tell.
  case unknown
  /// There is no way to other machines.
  case offline
  /// A cable, or what looks like one.
  case wired
  /// A wireless local network.
  case wifi
  /// A mobile network.
  case cellular
  /// Something else, such as a tunnel.
  case other
}
