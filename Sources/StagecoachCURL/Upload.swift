#if CURL
  import HTTPTypes
  import StagecoachCore
  import StagecoachTransportKit
  import Synchronization

  /// The content of a request, read from its source by a task and passed to the engine's thread.
  final class Upload: Sendable {
    /// The result of a read by the engine.
    enum Reading {
      case bytes(Int)
      /// No data yet; the engine is notified when there is some.
      case nothing
      case end
    }

    private struct State {
      var chunks = ByteQueue()
      var isEnded = false
      var isClosed = false
      /// Whether the engine waits for a chunk.
      var isStarved = false
      /// The reading task, which waits for room.
      var room: Waiter<Void>?
      var trailers: HTTPFields?
      var puller: Task<Void, Never>?
    }

    /// The number of buffered bytes above which the source is not read.
    private static let capacity = 128 * 1024

    private let source: any BodySource
    private let state = Mutex(State())

    init(_ source: any BodySource) {
      self.source = source
    }

    /// Reads the source to its end.
    ///
    /// - Parameters:
    ///   - feed: Called when the engine waits and data is available.
    ///   - fail: Called with an error of the source.
    func start(feed: @escaping @Sendable () -> Void, fail: @escaping @Sendable (any Error) -> Void) {
      let task = Task {
        do {
          while let chunk = try await source.next() {
            guard await offer(chunk, feed) else { return }
          }
          end(source.trailers, feed)
        } catch {
          fail(error)
        }
      }
      let isClosed = state.withLock { state in
        if !state.isClosed { state.puller = task }
        return state.isClosed
      }
      if isClosed { task.cancel() }
    }

    /// Queues a chunk and waits for room; returns false if the upload is closed.
    private func offer(_ chunk: Bytes, _ feed: () -> Void) async -> Bool {
      let (isClosed, isFull, wasStarved) = state.withLock { state in
        guard !state.isClosed else { return (true, false, false) }
        state.chunks.append(chunk)
        defer { state.isStarved = false }
        return (false, state.chunks.count >= Self.capacity, state.isStarved)
      }
      guard !isClosed else { return false }
      if wasStarved { feed() }
      guard isFull else { return true }
      let room = state.withLock { state -> Waiter<Void>? in
        guard !state.isClosed, state.chunks.count >= Self.capacity else { return nil }
        state.room = Waiter()
        return state.room
      }
      _ = await room?.outcome()
      return state.withLock { !$0.isClosed }
    }

    private func end(_ trailers: HTTPFields?, _ feed: () -> Void) {
      let wasStarved = state.withLock { state in
        state.isEnded = true
        state.trailers = trailers
        state.puller = nil
        defer { state.isStarved = false }
        return state.isStarved
      }
      if wasStarved { feed() }
    }

    /// The trailer fields, available at the end.
    var trailers: HTTPFields? { state.withLock { $0.trailers } }

    /// Copies the start of a chunk to the engine's buffer.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
      let (reading, room) = state.withLock { state -> (Reading, Waiter<Void>?) in
        let count = state.chunks.read(into: buffer)
        if count > 0 {
          guard state.chunks.count < Self.capacity else { return (.bytes(count), nil) }
          defer { state.room = nil }
          return (.bytes(count), state.room)
        }
        if state.isEnded { return (.end, nil) }
        state.isStarved = true
        return (.nothing, nil)
      }
      room?.end()
      return reading
    }

    /// Stops reading the source and resumes the waiting task.
    func close() {
      let (room, puller, isEnded) = state.withLock { state in
        state.isClosed = true
        state.chunks = ByteQueue()
        defer { (state.room, state.puller) = (nil, nil) }
        return (state.room, state.puller, state.isEnded)
      }
      puller?.cancel()
      if !isEnded { source.cancel() }
      room?.end()
    }
  }
#endif
