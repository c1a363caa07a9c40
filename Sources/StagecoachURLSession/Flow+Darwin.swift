#if canImport(Darwin)
  import Foundation
  import Synchronization

  /// Pauses a task while its reader is behind.
  final class Flow: Sendable {
    /// How many pauses have not ended yet; calls may come in the wrong order.
    private let pauses = Mutex(0)

    func pause(_ task: URLSessionTask) {
      pauses.withLock { pauses in
        pauses += 1
        if pauses == 1 { task.suspend() }
      }
    }

    func goOn(_ task: URLSessionTask) {
      pauses.withLock { pauses in
        pauses -= 1
        if pauses == 0 { task.resume() }
      }
    }
  }
#endif
