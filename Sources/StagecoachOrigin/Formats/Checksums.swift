#if Tool
  /// The 64-bit FNV-1a hash: for each byte, exclusive or and then a multiplication.
  struct FNV1a64 {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func update(_ bytes: some Sequence<UInt8>) {
      var value = self.value
      for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
      self.value = value
    }

    /// Sixteen lower-case hexadecimal digits.
    var hexadecimal: String {
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  /// The CRC of gzip (RFC 1952 8).
  enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
      (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
      ~bytes.reduce(~0) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8 }
    }
  }

  /// The checksum of the zlib format (RFC 1950 8.2).
  enum Adler32 {
    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
      var low: UInt32 = 1
      var high: UInt32 = 0
      for byte in bytes {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
      }
      return high << 16 | low
    }
  }
#endif
