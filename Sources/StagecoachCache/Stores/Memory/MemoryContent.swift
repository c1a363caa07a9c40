import StagecoachCore
import Synchronization

/// The content of an entry in memory, which grows while it is written.
final class MemoryContent: CacheContent {
  private struct State {
    var pieces: [[UInt8]] = []
    /// The position after each piece.
    var ends: [Int] = []

    var length: Int { ends.last ?? 0 }

    mutating func append(_ piece: [UInt8]) {
      ends.append(length + piece.count)
      pieces.append(piece)
    }
  }

  private let state = Mutex(State())
  private let pool: BlockPool
  let charge: Ledger.Charge

  init(_ charge: Ledger.Charge, _ pool: BlockPool) {
    self.charge = charge
    self.pool = pool
  }

  deinit {
    pool.giveBack(state.withLock { $0.pieces })
  }

  var length: Int { state.withLock { $0.length } }

  func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
    let bytes = state.withLock { state -> Bytes? in
      guard let offset = Int(exactly: offset), offset >= 0, offset < state.length else { return nil }
      // The first piece that ends after the position.
      var (low, high) = (0, state.ends.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if state.ends[middle] > offset { high = middle } else { low = middle + 1 }
      }
      let piece = state.pieces[low]
      return Bytes(piece).dropFirst(piece.count - (state.ends[low] - offset)).prefix(count)
    }
    guard let bytes else { throw CacheStoreError.outOfBounds }
    return bytes
  }

  /// Appends a copy, as a chunk may keep a larger buffer alive.
  func append(_ chunk: Bytes) {
    var rest = chunk
    while !rest.isEmpty {
      var piece = pool.piece(of: rest.count)
      rest.prefix(BlockPool.size).withUnsafeBytes { piece.append(contentsOf: $0) }
      rest = rest.dropFirst(piece.count)
      state.withLock { $0.append(piece) }
    }
  }

  /// Puts many small pieces together.
  func compact() {
    state.withLock { state in
      guard state.pieces.count > 1, state.length / state.pieces.count < BlockPool.size / 2 else { return }
      var old = state
      state = State()
      var piece = pool.piece(of: old.length)
      for index in old.pieces.indices {
        var rest = old.pieces[index][...]
        // Each is freed once it is copied.
        old.pieces[index] = []
        while !rest.isEmpty {
          let part = rest.prefix(min(BlockPool.size, old.length - state.length) - piece.count)
          piece += part
          rest = rest.dropFirst(part.count)
          guard piece.count == min(BlockPool.size, old.length - state.length) else { continue }
          state.append(piece)
          piece = pool.piece(of: old.length - state.length)
        }
      }
    }
  }
}

/// A reader of content, which is not removed meanwhile to make room.
final class MemoryReading: CacheContent {
  private let content: MemoryContent

  init(_ content: MemoryContent) {
    self.content = content
    content.charge.begin()
  }

  deinit { content.charge.end() }

  func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
    try await content.read(at: offset, upTo: count)
  }
}

/// Writes an entry of a store in memory.
final class MemoryWriter: CacheWriter {
  /// The memory of a chunk beside its bytes.
  private static let overhead = 64

  private let store: MemoryCacheStore
  private let key: CacheKey
  private let generation: UInt64
  private let content: MemoryContent
  private let limit: Int
  private let hasFailed = Atomic(false)

  init(_ store: MemoryCacheStore, _ key: CacheKey, _ generation: UInt64, _ charge: Ledger.Charge, limit: Int)
  {
    self.store = store
    self.key = key
    self.generation = generation
    self.limit = limit
    content = MemoryContent(charge, store.pool)
    charge.begin()
  }

  deinit { content.charge.end() }

  func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
    try await content.read(at: offset, upTo: count)
  }

  func append(_ chunk: Bytes) async throws {
    let isSmall = chunk.count <= limit - content.length
    guard isSmall, store.makeRoom(for: chunk.count + Self.overhead, content.charge) else {
      hasFailed.store(true, ordering: .relaxed)
      throw isSmall ? CacheStoreError.full : CacheStoreError.tooLarge(limit: Int64(limit))
    }
    content.append(chunk)
  }

  func commit(_ response: CachedResponse) async throws -> Bool {
    // A body with a gap must not be found.
    guard !hasFailed.load(ordering: .relaxed) else { throw CacheStoreError.full }
    content.compact()
    return store.commit(content, response, key, generation)
  }

  // The content goes with the writer.
  func abandon() {}
}
