import Synchronization

/// The network of this machine: what the system says of its links and routes.
///
/// The system is asked from the first reader of ``statuses`` to the last; before and after that, ``status``
/// is `unknown`. It is not polled: a change costs something, no change nothing.
///
/// On Linux the status is that of the link which the default route with the lowest metric goes through, as
/// rtnetlink tells: `offline` if no such route leads through a link that is up. `cellular` is a link of a
/// WWAN device or of PPP. On Apple's systems it is that of the default path (`NWPathMonitor`). On others it
/// stays `unknown`.
public final class SystemNetworkMonitor: NetworkMonitor {
  private let readers: NetworkStatusReaders

  /// A monitor, which asks nothing yet.
  public init() {
    let watching = Watching()
    readers = NetworkStatusReaders { watching.update() }
    watching.attach(readers)
  }

  /// The status as it is known now.
  public var status: NetworkStatus { readers.status }

  /// The status from now on.
  public var statuses: AsyncStream<NetworkStatus> { readers.add() }

  /// Ends all sequences, and asks the system no more.
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
  /// What cannot tell anything here.
  struct NetworkWatch: Sendable {
    init?(report: @escaping @Sendable (NetworkStatus) -> Void) { return nil }
    func cancel() {}
  }
#endif
