import Stagecoach
import Synchronization

/// How the bodies of responses ended, as the events tell it.
final class BodyEvents: EventMonitor {
  private let ends = Mutex((finished: [Int64](), failures: 0))

  /// The sizes of those that were read to their end.
  var finished: [Int64] { ends.withLock { $0.finished } }
  /// How many were not.
  var failures: Int { ends.withLock { $0.failures } }

  func receive(_ event: Event) {
    switch event.kind {
    case .responseFinished(let bytes): ends.withLock { $0.finished.append(bytes) }
    case .responseBodyFailed: ends.withLock { $0.failures += 1 }
    default: break
    }
  }
}
