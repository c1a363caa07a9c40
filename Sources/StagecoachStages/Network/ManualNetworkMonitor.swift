import StagecoachCore

/// A network monitor whose status is set by hand, for tests.
///
/// ```swift
/// let network = ManualNetworkMonitor(.offline)
/// var policy = RetryPolicy()
/// policy.offlineWait = RetryPolicy.OfflineWait(for: network)
/// network.set(.wifi)
/// ```
public final class ManualNetworkMonitor: NetworkMonitor {
  private let readers: NetworkStatusReaders

  /// Creates a monitor with a status, `unknown` by default.
  public init(_ status: NetworkStatus = .unknown) {
    readers = NetworkStatusReaders(status)
  }

  /// The current status.
  public var status: NetworkStatus { readers.status }

  /// The current status, followed by its changes.
  public var statuses: AsyncStream<NetworkStatus> { readers.add() }

  /// Changes the status.
  public func set(_ status: NetworkStatus) { readers.set(status) }

  /// The number of sequences being read, which shows whether the code under test observes the network.
  public var readerCount: Int { readers.count }
}
