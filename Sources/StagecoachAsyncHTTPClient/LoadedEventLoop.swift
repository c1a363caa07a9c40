#if AsyncHTTPClient
  import NIOCore
  import Synchronization

  /// An event loop, and how many transfers it serves.
  final class LoadedEventLoop: Sendable {
    let eventLoop: any EventLoop
    private let transfers = Atomic(0)

    init(_ eventLoop: any EventLoop) {
      self.eventLoop = eventLoop
    }

    var load: Int { transfers.load(ordering: .relaxed) }

    func add(_ change: Int) {
      transfers.add(change, ordering: .relaxed)
    }
  }
#endif
