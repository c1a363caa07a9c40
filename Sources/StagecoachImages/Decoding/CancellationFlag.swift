#if Images
  import Synchronization

  /// Tells a decoder on another thread that its task was cancelled.
  final class CancellationFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() {
      value.store(true, ordering: .relaxed)
    }
  }
#endif
