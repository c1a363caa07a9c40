/// The CRC of gzip (RFC 1952 8).
package enum CRC32 {
  /// Eight tables of 256: what a byte contributes that 0 to 7 bytes follow.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = (0..<256).map { index in
      (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
    for index in 256..<2048 {
      let shorter = tables[index - 256]
      tables.append(tables[Int(shorter & 0xFF)] ^ shorter >> 8)
    }
    return tables
  }()

  package static func of(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { of($0) }
  }

  /// Returns the checksum of bytes that follow those with the checksum `sum`.
  package static func of(_ bytes: UnsafeRawBufferPointer, after sum: UInt32 = 0) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      var sum = ~sum
      var position = 0
      // Eight bytes at a time take a fifth of the time of single ones.
      while position &+ 8 <= bytes.count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        let mixed = word ^ UInt64(sum)
        sum = 0
        for index in 0..<8 {
          let byte = Int(truncatingIfNeeded: mixed &>> UInt64(index &* 8)) & 0xFF
          sum ^= tables[(7 &- index) &* 256 &+ byte]
        }
        position &+= 8
      }
      while position < bytes.count {
        sum = tables[Int((sum ^ UInt32(bytes[position])) & 0xFF)] ^ sum &>> 8
        position &+= 1
      }
      return ~sum
    }
  }
}

/// The checksum of the zlib format (RFC 1950 8.2).
package enum Adler32 {
  package static func of(_ bytes: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low &+ UInt32(byte)) % 65_521
      high = (high &+ low) % 65_521
    }
    return high << 16 | low
  }
}
