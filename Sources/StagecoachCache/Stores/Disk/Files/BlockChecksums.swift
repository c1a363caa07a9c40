#if SQLite
  internal import StagecoachCore

  /// The checksums of the blocks of a body, so that any part of it can be checked before it is used.
  struct BlockChecksums {
    /// The number of bytes of a block.
    static let block = 65_536

    /// The number of bytes of the checksums of a body.
    static func size(of length: Int64) -> Int { Int((length + Int64(block) - 1) / Int64(block)) * 4 }

    /// The checksums, four bytes each, the lowest first.
    private(set) var bytes: [UInt8] = []

    /// Adds the next block.
    mutating func append(_ block: UnsafeRawBufferPointer) {
      let sum = CRC32.of(block)
      for shift in stride(from: 0, to: 32 as UInt32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: sum >> shift))
      }
    }

    /// The checksums of a body of at most one block.
    static func of(_ body: [UInt8]) -> Bytes {
      var checksums = Self()
      if !body.isEmpty { body.withUnsafeBytes { checksums.append($0) } }
      return Bytes(checksums.bytes)
    }

    /// Whether a block is the one that was written.
    static func isIntact(_ block: Bytes, _ number: Int, _ checksums: Bytes) -> Bool {
      let sum = block.withUnsafeBytes { CRC32.of($0) }
      return checksums.withUnsafeBytes { checksums in
        guard checksums.count / 4 > number else { return false }
        return UInt32(littleEndian: checksums.loadUnaligned(fromByteOffset: number * 4, as: UInt32.self))
          == sum
      }
    }
  }
#endif
