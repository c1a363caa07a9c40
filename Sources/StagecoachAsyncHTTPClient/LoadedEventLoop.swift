#if AsyncHTTPClient
  import NIOCore
  import Synchronization

  /// An event loop, and how many transfers it serves.
  final class LoadedEventLoop: Sendable {
    let eventLoop: any EventLoop
    private let transfers = Atomic(0)
    /// What a request is being written to at this moment.
    ///
    /// Unsafe only to the compiler: it is read and written on the event loop, and nowhere else.
    nonisolated(unsafe) var serving: EngineConnection.Serving?

    init(_ eventLoop: any EventLoop) {
      self.eventLoop = eventLoop
    }

    var load: Int { transfers.load(ordering: .relaxed) }

    func add(_ change: Int) {
      transfers.add(change, ordering: .relaxed)
    }
  }
#endif
