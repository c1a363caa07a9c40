import StagecoachCore
public import StagecoachStages
import Synchronization

/// The network monitor of this machine, based on the links and routes of the system.
///
/// The system is monitored while ``statuses`` has readers; otherwise ``status`` is `unknown`. Nothing is polled, so
/// there is no cost without changes.
///
/// On Linux the status is that of the link of the default route with the lowest metric, from rtnetlink: `offline` if
/// no such route uses a link that is up. `cellular` means a link of a WWAN device or of PPP. On Apple's systems it is
/// the status of the default path (`NWPathMonitor`). On other systems it is always `unknown`.
public final class SystemNetworkMonitor: NetworkMonitor {
  private let readers: NetworkStatusReaders

  /// Creates a monitor, which is idle until its statuses are read.
  public init() {
    let watching = Watching()
    readers = NetworkStatusReaders { watching.update() }
    watching.attach(readers)
  }

  /// The current status.
  public var status: NetworkStatus { readers.status }

  /// The current status, followed by its changes.
  public var statuses: AsyncStream<NetworkStatus> { readers.add() }

  /// Ends all sequences, and stops monitoring the system.
  public func shutdown() { readers.close() }
}

/// Watches as long as there are readers.
private final class Watching: Sendable {
  private struct State {
    weak var readers: NetworkStatusReaders?
    var watch: NetworkWatch?
    /// Which watch it is: one that was cancelled may have a last word.
    var number = 0
  }

  private let state = Mutex(State())

  func attach(_ readers: NetworkStatusReaders) {
    state.withLock { $0.readers = readers }
  }

  func update() {
    state.withLock { state in
      let isNeeded = state.readers.map { $0.count > 0 } ?? false
      if isNeeded, state.watch == nil {
        state.number += 1
        let number = state.number
        state.watch = NetworkWatch { [weak self] in self?.report($0, by: number) }
      } else if !isNeeded, let watch = state.watch {
        watch.cancel()
        state.watch = nil
        state.readers?.set(.unknown)
      }
    }
  }

  private func report(_ status: NetworkStatus, by number: Int) {
    state.withLock { state in
      if state.watch != nil, state.number == number { state.readers?.set(status) }
    }
  }
}

#if !os(Linux) && !canImport(Network)
  /// A watch for systems without support.
  struct NetworkWatch: Sendable {
    init?(report: @escaping @Sendable (NetworkStatus) -> Void) { return nil }
    func cancel() {}
  }
#endif
