#if SQLite
  internal import StagecoachCore
  internal import Synchronization

  /// The operations of a store's writers.
  extension DiskCacheStore {
    /// Writes bytes of a body, after entries have made room for them.
    func write(_ count: Int, _ work: @escaping @Sendable () throws -> Void) async throws {
      let count = Int64(count)
      try await takeRoom(for: count)
      defer { room.release(count) }
      try await BlockingQueue.files.run(work)
    }

    /// Makes a body visible; see ``CacheWriter/commit(_:)``.
    func insert(_ row: IndexRow, _ key: CacheKey, vary: Int64, _ body: Bytes?, generation: UInt64)
      async throws -> Bool
    {
      // The file is one of those that are being written.
      let size = row.file == nil ? row.size : row.size - IndexRow.fileSize(row.length)
      try await takeRoom(for: size, isComplete: true)
      defer { room.release(size) }
      return try await writing { try $0.insert(row, IndexKey(key), vary, body, generation: generation) }
    }

    /// Takes room, which entries make if there is not enough.
    ///
    /// - Parameter isComplete: Whether it is for a body that nobody delays any more.
    private func takeRoom(for count: Int64, isComplete: Bool = false) async throws {
      while !room.take(count) {
        // Other changes come in between if many entries have to go.
        try await writing { index in
          let capacity = try index.connection.totals().capacity
          // What another process has made smaller may be less than the room that was made before.
          if self.knownCapacity.exchange(capacity, ordering: .relaxed) != capacity { self.room.removeFree() }
          // The files of all writers are looked at once for so many bytes; others may have asked for room meanwhile.
          let missing = self.room.missing(of: count + capacity / 64)
          guard missing > 0,
            try !index.makeRoom(for: self.room.size + missing, in: capacity, isComplete: isComplete)
          else { return }
          self.room.add(missing)
        }
      }
    }
  }
#endif
