/// The CRC of gzip (RFC 1952 8).
package enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  package static func of(_ bytes: [UInt8]) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      var sum: UInt32 = ~0
      for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum &>> 8 }
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
