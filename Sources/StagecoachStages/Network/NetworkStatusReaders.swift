import StagecoachCore
import Synchronization

/// A network status, and the readers of its changes.
package final class NetworkStatusReaders: Sendable {
  private typealias Reader = AsyncStream<NetworkStatus>.Continuation

  private struct State {
    var status: NetworkStatus
    var readers: [Int: Reader] = [:]
    var next = 0
    var isClosed = false
  }

  private static let limit = 64

  private let state: Mutex<State>
  /// Told how many readers there are, whenever that changes.
  private let onChange: @Sendable () -> Void

  package init(_ status: NetworkStatus = .unknown, onChange: @escaping @Sendable () -> Void = {}) {
    state = Mutex(State(status: status))
    self.onChange = onChange
  }

  package var status: NetworkStatus { state.withLock { $0.status } }

  package var count: Int { state.withLock { $0.readers.count } }

  /// Changes are passed on under the lock, so that all readers see them in the same order; yielding runs no other
  /// code.
  package func set(_ status: NetworkStatus) {
    state.withLock { state in
      guard state.status != status, !state.isClosed else { return }
      state.status = status
      for reader in state.readers.values { reader.yield(status) }
    }
  }

  package func add() -> AsyncStream<NetworkStatus> {
    let (stream, reader) = AsyncStream.makeStream(
      of: NetworkStatus.self,
      bufferingPolicy: .bufferingNewest(Self.limit)
    )
    let id = state.withLock { state -> Int? in
      reader.yield(state.status)
      guard !state.isClosed else { return nil }
      state.next += 1
      state.readers[state.next] = reader
      return state.next
    }
    guard let id else {
      reader.finish()
      return stream
    }
    // Retains this object until the sequence ends, so that holding the sequence is sufficient.
    reader.onTermination = { _ in self.remove(id) }
    onChange()
    return stream
  }

  /// Ends all sequences and starts no new ones.
  package func close() {
    let readers = state.withLock { state in
      defer {
        state.isClosed = true
        state.status = .unknown
        state.readers = [:]
      }
      return state.readers
    }
    for reader in readers.values { reader.finish() }
    onChange()
  }

  private func remove(_ id: Int) {
    guard state.withLock({ $0.readers.removeValue(forKey: id) }) != nil else { return }
    onChange()
  }
}
