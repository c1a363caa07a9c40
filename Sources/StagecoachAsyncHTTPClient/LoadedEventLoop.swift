#if AsyncHTTPClient
  import NIOCore
  import Synchronization

  /// An event loop with the number of its transfers.
  final class LoadedEventLoop: Sendable {
    let eventLoop: any EventLoop
    private let transfers = Atomic(0)
    /// The target of the current write of a request.
    ///
    /// Unsafe only to the compiler: it is read and written only on the event loop.
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
