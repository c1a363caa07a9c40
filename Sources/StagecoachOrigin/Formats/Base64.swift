#if Tool
  /// Base 64 with padding (RFC 4648 4).
  enum Base64 {
    private static let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    static func encode(_ bytes: some Collection<UInt8>) -> String {
      var output: [UInt8] = []
      output.reserveCapacity((bytes.count + 2) / 3 * 4)
      var group: UInt32 = 0
      var count = 0
      func flush(_ digits: Int) {
        for digit in 0..<4 {
          let value = Int(group >> UInt32(18 - 6 * digit) & 0x3F)
          output.append(digit < digits ? alphabet[value] : UInt8(ascii: "="))
        }
        group = 0
        count = 0
      }
      for byte in bytes {
        group |= UInt32(byte) << UInt32(16 - 8 * count)
        count += 1
        if count == 3 { flush(4) }
      }
      if count > 0 { flush(count + 1) }
      return String(decoding: output, as: UTF8.self)
    }
  }
#endif
