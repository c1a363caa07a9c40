/// A network that is as it is told to be: for tests.
///
/// ```swift
/// let network = ManualNetworkMonitor(.offline)
/// policy.offlineWait = RetryPolicy.OfflineWait(for: network)
/// network.set(.wifi)
/// ```
public final class ManualNetworkMonitor: NetworkMonitor {
  private let readers: NetworkStatusReaders

  /// A network of a status, `unknown` unless it is given.
  public init(_ status: NetworkStatus = .unknown) {
    readers = NetworkStatusReaders(status)
  }

  /// The status.
  public var status: NetworkStatus { readers.status }

  /// The status from now on.
  public var statuses: AsyncStream<NetworkStatus> { readers.add() }

  /// Changes the status.
  public func set(_ status: NetworkStatus) { readers.set(status) }

  /// How many sequences are being read: whether what is tested watches the network now.
  public var readerCount: Int { readers.count }
}
