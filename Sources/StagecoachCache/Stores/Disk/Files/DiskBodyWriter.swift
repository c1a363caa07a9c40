#if SQLite
  internal import StagecoachCore
  internal import Synchronization

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// A body that is being written: whole blocks to a file, and the rest in memory.
  final class DiskBodyWriter: CacheWriter {
    private struct State {
      /// The file, once there is one.
      var descriptor: Int32?
      var file: Int64 = 0
      /// The checksums of the blocks that are in the file.
      var checksums = BlockChecksums()
      /// The number of bytes that are in the file.
      var flushed: Int64 = 0
      /// The bytes that follow them.
      var rest: [UInt8] = []
      /// Whether nothing more is appended: it has ended, or failed.
      var isEnded = false
      /// Whether the index names the file.
      var isCommitted = false
      /// Whether the name of the file was removed.
      var isRemoved = false
    }

    private let store: DiskCacheStore
    private let key: CacheKey
    private let generation: UInt64
    private let limit: Int64
    private let state = Mutex(State())

    /// Bodies up to this size are kept in the index.
    static let maxStoredSize = 16_384

    /// - Parameter limit: The most bytes of content.
    init(_ store: DiskCacheStore, _ key: CacheKey, generation: UInt64, limit: Int64) {
      self.store = store
      self.key = key
      self.generation = generation
      self.limit = limit
    }

    deinit {
      abandon()
      // Closing the last descriptor of a removed file frees its space, which may take a while.
      if let descriptor = state.withLock({ $0.descriptor }) {
        BlockingQueue.files.enqueue { close(descriptor) }
      }
    }

    func append(_ chunk: Bytes) async throws {
      let isFull = try state.withLock { state in
        guard !state.isEnded else {
          throw CacheStoreError.unavailable("the writer has failed before, or has ended")
        }
        guard Int64(chunk.count) <= limit - state.flushed - Int64(state.rest.count) else {
          state.isEnded = true
          throw CacheStoreError.tooLarge(limit: limit)
        }
        guard state.rest.count + chunk.count < BlockChecksums.block else { return true }
        chunk.withUnsafeBytes { state.rest.append(contentsOf: $0) }
        return false
      }
      guard isFull else { return }
      do {
        try await write(adding: chunk)
      } catch {
        state.withLock { $0.isEnded = true }
        throw error
      }
    }

    private func write(adding chunk: Bytes = Bytes(), isLast: Bool = false) async throws {
      let count = state.withLock { $0.rest.count } + chunk.count
      try await store.write(isLast ? count : count / BlockChecksums.block * BlockChecksums.block) {
        try self.flush(adding: chunk, isLast: isLast)
      }
    }

    /// Writes all whole blocks to the file, or all bytes. Only one task calls this, so that the bytes in memory stay
    /// the same meanwhile; readers find them there until they are in the file.
    private func flush(adding chunk: Bytes, isLast: Bool) throws {
      var (bytes, flushed, checksums) = state.withLock { ($0.rest, $0.flushed, $0.checksums) }
      chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
      let descriptor = try openFile()
      let rest = try bytes.withUnsafeBytes { bytes in
        var start = 0
        while bytes.count - start >= (isLast ? 1 : BlockChecksums.block) {
          let end = min(start + BlockChecksums.block, bytes.count)
          let block = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
          try SystemFile.write(block, to: descriptor, at: flushed)
          checksums.append(block)
          flushed += Int64(block.count)
          start = end
        }
        return Array(bytes[start...])
      }
      state.withLock { state in
        state.flushed = flushed
        state.checksums = checksums
        state.rest = rest
      }
    }

    private func openFile() throws -> Int32 {
      if let descriptor = state.withLock({ $0.descriptor }) { return descriptor }
      let (descriptor, file) = try store.folder.createBody()
      state.withLock { state in
        state.descriptor = descriptor
        state.file = file
      }
      return descriptor
    }

    func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
      let (found, descriptor, size) = try state.withLock { state in
        guard offset >= 0, count > 0, offset - state.flushed < state.rest.count else {
          throw CacheStoreError.outOfBounds
        }
        guard offset < state.flushed, let descriptor = state.descriptor else {
          let start = Int(offset - state.flushed)
          // A copy, so that the next append does not copy all of it.
          return (Array(state.rest[start...].prefix(count)), Int32(-1), 0)
        }
        return ([], descriptor, Int(min(Int64(count), state.flushed - offset)))
      }
      guard descriptor >= 0 else { return Bytes(found) }
      return try await BlockingQueue.files.run {
        // Keeps the descriptor open.
        defer { withExtendedLifetime(self) {} }
        let bytes = try SystemFile.read(descriptor, at: offset, size)
        guard !bytes.isEmpty else { throw CacheStoreError.damaged("a body is not what was written") }
        return Bytes(bytes)
      }
    }

    func commit(_ response: CachedResponse) async throws -> Bool {
      try state.withLock { state in
        guard !state.isEnded else {
          throw CacheStoreError.unavailable("the writer has failed before, or has ended")
        }
        state.isEnded = true
      }
      do {
        let head = try DiskCacheStore.encoded(response)
        let vary = IndexKey.hash(response.vary)
        var (row, body) = try await complete(head)
        row.ends = response.endOfUse.map(IndexWriter.milliseconds)
        guard row.size <= store.maxEntrySize else {
          throw CacheStoreError.tooLarge(limit: store.maxEntrySize)
        }
        let isKept = try await store.insert(row, key, vary: vary, body, generation: generation)
        let descriptor = state.withLock { state in
          state.isCommitted = isKept
          return state.descriptor
        }
        if !isKept {
          abandon()
        } else if let descriptor {
          store.synchronizer.synchronize(descriptor)
        }
        return isKept
      } catch {
        abandon()
        throw error
      }
    }

    /// Puts the rest of the bytes in their place.
    private func complete(_ head: Bytes) async throws -> (row: IndexRow, body: Bytes?) {
      let small = state.withLock { state in
        state.flushed == 0 && state.rest.count <= Self.maxStoredSize ? state.rest : nil
      }
      if let small {
        let checksums = BlockChecksums.of(small)
        return (IndexRow(IndexKey(key), head, Int64(small.count), file: nil, checksums), Bytes(small))
      }
      try await write(isLast: true)
      let (file, length, checksums) = state.withLock { ($0.file, $0.flushed, $0.checksums) }
      return (IndexRow(IndexKey(key), head, length, file: file, Bytes(checksums.bytes)), nil)
    }

    func abandon() {
      let file = state.withLock { state -> Int64? in
        state.isEnded = true
        guard state.descriptor != nil, !state.isCommitted, !state.isRemoved else { return nil }
        state.isRemoved = true
        return state.file
      }
      guard let file else { return }
      BlockingQueue.files.enqueue { [folder = store.folder] in folder.removeBody(file) }
    }
  }
#endif
