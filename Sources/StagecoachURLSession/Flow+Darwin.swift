#if canImport(Darwin)
  import Foundation
  import Synchronization

  /// Pauses a task while its reader falls behind.
  final class Flow: Sendable {
    /// The number of pauses without a resume; calls may come in the wrong order.
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
