import Dispatch
import StagecoachTransfers

/// A serial callback queue that can be held back, and knows whether code runs on it.
final class Serial: Sendable {
  private static let key = DispatchSpecificKey<Bool>()
  let dispatch: DispatchQueue
  let queue: CallbackQueue

  init(isHeld: Bool = false) {
    dispatch = DispatchQueue(label: "tests.callbacks")
    dispatch.setSpecific(key: Self.key, value: true)
    queue = CallbackQueue(dispatch)
    if isHeld { dispatch.suspend() }
  }

  /// Whether the caller runs on such a queue.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  func release() { dispatch.resume() }

  /// Waits until everything that is on the queue now has run.
  func drain() async {
    await withCheckedContinuation { continuation in dispatch.async { continuation.resume() } }
  }
}
