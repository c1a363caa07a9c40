#if Tool
  /// Undoes one DEFLATE block with fixed codes (RFC 1951 3.2.6), written apart from the encoder under test.
  struct Inflater {
    struct Malformed: Error {}

    private let input: [UInt8]
    private var position = 0

    static func inflate(_ input: some Sequence<UInt8>) throws -> [UInt8] {
      var inflater = Inflater(input: Array(input))
      return try inflater.run()
    }

    private init(input: [UInt8]) { self.input = input }

    private mutating func bits(_ count: Int) throws -> Int {
      var value = 0
      for index in 0..<count {
        guard position / 8 < input.count else { throw Malformed() }
        value |= Int(input[position / 8] >> UInt8(position % 8) & 1) << index
        position += 1
      }
      return value
    }

    private mutating func code(_ count: Int, after prefix: Int = 0) throws -> Int {
      var value = prefix
      for _ in 0..<count { value = value << 1 | (try bits(1)) }
      return value
    }

    private mutating func symbol() throws -> Int {
      let seven = try code(7)
      if seven < 0b001_1000 { return 256 + seven }
      let eight = try code(1, after: seven)
      if eight < 0b1100_0000 { return eight - 0b0011_0000 }
      if eight < 0b1100_1000 { return eight - 0b1100_0000 + 280 }
      return try code(1, after: eight) - 0b1_1001_0000 + 144
    }

    private mutating func run() throws -> [UInt8] {
      guard try bits(1) == 1, try bits(2) == 1 else { throw Malformed() }
      var output: [UInt8] = []
      while true {
        let symbol = try symbol()
        if symbol < 256 {
          output.append(UInt8(symbol))
        } else if symbol == 256 {
          // Nothing but padding may follow.
          guard (position + 7) / 8 == input.count else { throw Malformed() }
          return output
        } else {
          let length = try length(symbol)
          let distance = try distance()
          guard distance <= output.count else { throw Malformed() }
          for _ in 0..<length { output.append(output[output.count - distance]) }
        }
      }
    }

    private mutating func length(_ symbol: Int) throws -> Int {
      if symbol == 285 { return 258 }
      guard symbol < 285 else { throw Malformed() }
      if symbol < 265 { return symbol - 254 }
      let extra = (symbol - 261) / 4
      return 3 + ((4 + (symbol - 261) % 4) << extra) + (try bits(extra))
    }

    private mutating func distance() throws -> Int {
      let code = try code(5)
      if code < 4 { return code + 1 }
      let extra = (code - 2) / 2
      return 1 + ((2 + code % 2) << extra) + (try bits(extra))
    }
  }

  /// CRC-32 bit by bit.
  func referenceCRC32(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
#endif
