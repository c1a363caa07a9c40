import HTTPTypes
import StagecoachCore
import Synchronization

/// One response body read by several readers, each at its own pace.
///
/// The first reader to need more pulls a chunk for all; what not all have read yet is kept. When that would be more
/// than the limit, the readers that are furthest behind are cut loose: they get no more from here. The body is
/// cancelled when its last reader leaves.
final class SharedBody: Sendable {
  /// The result of a read.
  enum Step: Sendable {
    case chunk(Bytes)
    case end
    /// The reader was too slow.
    case cutLoose
  }

  private struct State {
    var iterator: Response.Body.AsyncIterator
    /// The chunks that not every reader has read, oldest first, after those that were removed.
    private var chunks: [Bytes] = []
    private var forgotten = 0
    /// The number of chunks before those that are kept.
    private(set) var passed = 0
    /// The size of the chunks that are kept.
    private(set) var kept = 0
    /// The number of chunks that each reader has read.
    var readers: [Int: Int] = [:]
    var nextReader = 0
    var end: Result<Void, any Error>?
    var isPulling = false
    /// The readers that wait for the pull.
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]

    init(iterator: Response.Body.AsyncIterator) {
      self.iterator = iterator
    }

    /// The number of chunks received.
    var count: Int { passed + chunks.count - forgotten }

    /// The chunk of a number, which is kept.
    subscript(_ number: Int) -> Bytes { chunks[forgotten + number - passed] }

    mutating func append(_ chunk: Bytes) {
      chunks.append(chunk)
      kept += Self.cost(of: chunk)
    }

    /// Forgets what every reader has read.
    mutating func trim() {
      let least = readers.values.min() ?? count
      while passed < least {
        kept -= Self.cost(of: chunks[forgotten])
        chunks[forgotten] = Bytes()
        forgotten += 1
        passed += 1
      }
      guard forgotten * 2 > chunks.count else { return }
      chunks.removeFirst(forgotten)
      forgotten = 0
    }

    /// A server may send single bytes, each of which takes more room than it holds.
    private static func cost(of chunk: Bytes) -> Int { chunk.count + 64 }

    /// Cuts readers loose until what is kept is below the limit. Whoever waits has read all there is.
    mutating func makeRoom(below limit: Int) {
      while kept >= limit, let least = readers.values.min(), least < count {
        readers = readers.filter { $0.value > least }
        trim()
      }
    }
  }

  private let body: Response.Body
  private let limit: Int
  private let state: Mutex<State>

  /// - Parameter limit: How many bytes are kept for slower readers.
  init(_ body: Response.Body, limit: Int) {
    self.body = body
    self.limit = limit
    state = Mutex(State(iterator: body.makeAsyncIterator()))
  }

  var trailers: HTTPFields? { body.trailers }

  /// A new reader, which starts with the first chunk. All come before the first one reads.
  func join() -> Int {
    state.withLock { state in
      defer { state.nextReader += 1 }
      state.readers[state.nextReader] = 0
      return state.nextReader
    }
  }

  func leave(_ reader: Int) {
    let (waiting, isLast) = state.withLock { state in
      let wasThere = state.readers.removeValue(forKey: reader) != nil
      state.trim()
      return (state.waiting.removeValue(forKey: reader), wasThere && state.readers.isEmpty)
    }
    waiting?.resume(throwing: CancellationError())
    if isLast { body.cancel() }
  }

  /// The next chunk of a reader.
  func next(for reader: Int) async throws -> Step {
    while true {
      if let step = try take(for: reader) { return step }
      try await waitForPull(reader)
    }
  }

  /// Returns the next chunk or the end for a reader; `nil` if a chunk must be read from the source.
  private func take(for reader: Int) throws -> Step? {
    try state.withLock { state in
      guard let position = state.readers[reader] else { return .cutLoose }
      if position < state.count {
        let chunk = state[position]
        state.readers[reader] = position + 1
        if position == state.passed { state.trim() }
        return .chunk(chunk)
      }
      guard let end = state.end else { return nil }
      try end.get()
      return .end
    }
  }

  private func waitForPull(_ reader: Int) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enum Action { case go, cancelled, pull, wait }
        let action = state.withLock { state -> Action in
          guard let position = state.readers[reader], state.end == nil,
            position == state.count
          else { return .go }
          if Task.isCancelled { return .cancelled }
          state.waiting[reader] = continuation
          guard !state.isPulling else { return .wait }
          state.isPulling = true
          state.makeRoom(below: limit)
          return .pull
        }
        switch action {
        case .go: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .wait: break
        // In a task of its own: that a reader is cancelled is nothing to the others.
        case .pull: Task { await self.pull() }
        }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: reader) }?.resume(throwing: CancellationError())
    }
  }

  private func pull() async {
    var iterator = state.withLock { $0.iterator }
    let result: Result<Bytes?, any Error>
    do {
      result = .success(try await iterator.next())
    } catch {
      result = .failure(error)
    }
    let waiting = state.withLock { state in
      state.iterator = iterator
      state.isPulling = false
      switch result {
      case .success(nil): state.end = .success(())
      case .failure(let error): state.end = .failure(error)
      case .success(let chunk?):
        if !state.readers.isEmpty {
          state.append(chunk)
        }
      }
      defer { state.waiting = [:] }
      return state.waiting.values.map { $0 }
    }
    for continuation in waiting { continuation.resume() }
  }
}
