import Stagecoach
import Synchronization

/// A body that says `<l>`, then two elements with each chunk, for ever.
final class EndlessList: BodySource {
  private let state = Mutex((chunks: 0, isCancelled: false))

  var chunks: Int { state.withLock { $0.chunks } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func next() async throws -> Bytes? {
    state.withLock { state in
      state.chunks += 1
      return Bytes(state.chunks == 1 ? "<l>" : "<i/><i/>")
    }
  }

  func cancel() { state.withLock { $0.isCancelled = true } }
}
