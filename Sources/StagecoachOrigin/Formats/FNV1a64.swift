#if Tool
  import StagecoachCore

  /// The 64-bit FNV-1a hash: for each byte, exclusive or and then a multiplication.
  struct FNV1a64 {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func update(_ bytes: some Sequence<UInt8>) {
      var value = self.value
      for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
      self.value = value
    }

    /// Sixteen lower-case hexadecimal digits.
    var hexadecimal: String { value.bigEndianBytes.hexadecimal }
  }
#endif
