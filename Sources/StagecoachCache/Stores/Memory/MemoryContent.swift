import StagecoachCore
import Synchronization

/// The content of an entry in memory, which grows while it is written.
final class MemoryContent: CacheContent {
  /// The size of the blocks that small chunks are put together in.
  private static let block = 64 << 10

  private struct State {
    var chunks: [Bytes] = []
    /// The position after each chunk.
    var ends: [Int] = []

    var length: Int { ends.last ?? 0 }
  }

  private let state = Mutex(State())
  let charge: Ledger.Charge

  init(_ charge: Ledger.Charge) {
    self.charge = charge
  }

  var length: Int { state.withLock { $0.length } }

  func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
    let bytes = state.withLock { state -> Bytes? in
      guard let offset = Int(exactly: offset), offset >= 0, offset < state.length else { return nil }
      // The first chunk that ends after the position.
      var (low, high) = (0, state.ends.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if state.ends[middle] > offset { high = middle } else { low = middle + 1 }
      }
      let chunk = state.chunks[low]
      return chunk.dropFirst(chunk.count - (state.ends[low] - offset)).prefix(count)
    }
    guard let bytes else { throw CacheStoreError.outOfBounds }
    return bytes
  }

  /// Appends a copy: a chunk may keep a larger buffer alive.
  func append(_ chunk: Bytes) {
    let copy = Bytes(chunk.array)
    state.withLock { state in
      state.ends.append(state.length + copy.count)
      state.chunks.append(copy)
    }
  }

  /// Puts many small chunks together.
  func compact() {
    state.withLock { state in
      guard state.chunks.count > 1, state.length / state.chunks.count < Self.block / 2 else { return }
      var old = state.chunks[...]
      var rest = state.length
      state.chunks = []
      state.ends = []
      while !old.isEmpty {
        var block: [UInt8] = []
        block.reserveCapacity(min(Self.block, rest))
        while let chunk = old.first, block.isEmpty || block.count + chunk.count <= Self.block {
          chunk.withUnsafeBytes { block.append(contentsOf: $0) }
          old.removeFirst()
        }
        rest -= block.count
        state.ends.append(state.length + block.count)
        state.chunks.append(Bytes(block))
      }
    }
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
    content = MemoryContent(charge)
  }

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
