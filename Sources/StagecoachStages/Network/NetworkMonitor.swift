import StagecoachCore

/// Monitors whether this machine has a network, and of which kind.
///
/// ```swift
/// import StagecoachSystem
///
/// let monitor = SystemNetworkMonitor()
/// for await status in monitor.statuses { print(status) }
/// ```
///
/// The status is only a hint: whether a host can be reached is only known after a request. The library never delays a
/// request because of it, except for ``RetryPolicy/offlineWait`` after a failure.
public protocol NetworkMonitor: Sendable {
  /// The current status; `unknown` until it is known, and while ``statuses`` is not being read.
  var status: NetworkStatus { get }

  /// The current status, followed by each change, in order, for one reader.
  ///
  /// A slow reader loses the oldest of more than 64 statuses. The sequence ends when the monitor is shut down.
  var statuses: AsyncStream<NetworkStatus> { get }
}

/// The kind of network connection of this machine.
@nonexhaustive
public enum NetworkStatus: String, Sendable, Hashable, CaseIterable {
  /// The status is not known, or cannot be determined.
  case unknown
  /// There is no network connection.
  case offline
  /// A wired network, or one that looks like it.
  case wired
  /// A wireless local network.
  case wifi
  /// A cellular network.
  case cellular
  /// Another kind of network, such as a tunnel.
  case other
}
