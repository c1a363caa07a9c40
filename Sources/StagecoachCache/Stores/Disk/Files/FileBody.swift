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

  /// A large body. Its file stays open, so that it is readable after the entry was removed.
  final class FileBody: CacheContent {
    private let descriptor: Int32
    private let length: Int64
    private let checksums: Bytes
    private let onDamage: @Sendable () -> Void
    /// The block that was read last: readers ask for less than a block.
    private let latest = Mutex<(number: Int, bytes: Bytes)?>(nil)

    /// Takes over a descriptor, which is closed at the end.
    ///
    /// - Parameter onDamage: Called when a block is not what was written.
    /// - Returns: `nil` if the file has another length.
    init?(_ descriptor: Int32, length: Int64, checksums: Bytes, onDamage: @escaping @Sendable () -> Void) {
      self.descriptor = descriptor
      self.length = length
      self.checksums = checksums
      self.onDamage = onDamage
      // From here on the descriptor is closed by `deinit`.
      guard SystemFile.length(descriptor) == length else { return nil }
    }

    deinit {
      // Closing the last descriptor of a removed file frees its space, which may take a while.
      BlockingQueue.files.enqueue { [descriptor] in close(descriptor) }
    }

    func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
      guard offset >= 0, offset < length, count > 0 else { throw CacheStoreError.outOfBounds }
      let number = Int(offset / Int64(BlockChecksums.block))
      let start = Int(offset % Int64(BlockChecksums.block))
      let block = latest.withLock { $0?.number == number ? $0?.bytes : nil }
      guard let block else { return try await readBlock(number).dropFirst(start).prefix(count) }
      return block.dropFirst(start).prefix(count)
    }

    private func readBlock(_ number: Int) async throws -> Bytes {
      let start = Int64(number) * Int64(BlockChecksums.block)
      let size = Int(min(length - start, Int64(BlockChecksums.block)))
      let (descriptor, checksums) = (descriptor, checksums)
      let block = try await BlockingQueue.files.run {
        // Keeps the descriptor open.
        defer { withExtendedLifetime(self) {} }
        let block = Bytes(try SystemFile.read(descriptor, at: start, size))
        return block.count == size && BlockChecksums.isIntact(block, number, checksums) ? block : nil
      }
      guard let block else {
        onDamage()
        throw CacheStoreError.damaged("a body is not what was written")
      }
      latest.withLock { $0 = (number, block) }
      return block
    }
  }
#endif
