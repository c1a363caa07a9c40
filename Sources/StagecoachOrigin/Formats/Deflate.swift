#if Tool
  /// A small compressor: one block with the fixed codes of RFC 1951 3.2.6, matches found by a hash of three
  /// bytes. It compresses less than zlib, but the same input always gives the same bytes, on every system.
  struct Deflate {
    private static let lengthBases = [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
      227,
      258,
    ]
    private static let lengthExtraBits = [
      0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
      1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
      4097,
      6145, 8193, 12_289, 16_385, 24_577,
    ]
    private static let distanceExtraBits = [
      0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    private static let hashBits: UInt32 = 15
    private static let longestMatch = 258
    private static let window = 32_768

    private var output: [UInt8] = []
    private var bits: UInt64 = 0
    private var bitCount = 0

    /// The raw DEFLATE stream of the input.
    static func compress(_ input: [UInt8]) -> [UInt8] {
      var deflate = Deflate()
      deflate.run(input)
      return deflate.output
    }

    private mutating func run(_ input: [UInt8]) {
      var heads = [Int](repeating: -1, count: 1 << Self.hashBits)
      put(0b011, 3)  // the last block, fixed codes
      var index = 0
      while index < input.count {
        var length = 0
        var candidate = -1
        if index + 3 <= input.count {
          let hash = Self.hash(input, index)
          candidate = heads[hash]
          heads[hash] = index
          if candidate >= 0, index - candidate <= Self.window {
            let most = min(Self.longestMatch, input.count - index)
            while length < most, input[candidate + length] == input[index + length] { length += 1 }
          }
        }
        if length >= 3 {
          putMatch(length: length, distance: index - candidate)
          index += length
        } else {
          putSymbol(Int(input[index]))
          index += 1
        }
      }
      putSymbol(256)
      if bitCount > 0 { output.append(UInt8(truncatingIfNeeded: bits)) }
    }

    private static func hash(_ input: [UInt8], _ index: Int) -> Int {
      let word = UInt32(input[index]) | UInt32(input[index + 1]) << 8 | UInt32(input[index + 2]) << 16
      return Int((word &* 0x9E37_79B1) >> (32 - hashBits))
    }

    private mutating func putMatch(length: Int, distance: Int) {
      let lengthCode = Self.code(for: length, in: Self.lengthBases)
      putSymbol(257 + lengthCode)
      put(length - Self.lengthBases[lengthCode], Self.lengthExtraBits[lengthCode])
      let distanceCode = Self.code(for: distance, in: Self.distanceBases)
      putReversed(distanceCode, 5)
      put(distance - Self.distanceBases[distanceCode], Self.distanceExtraBits[distanceCode])
    }

    private static func code(for value: Int, in bases: [Int]) -> Int {
      (bases.firstIndex { $0 > value } ?? bases.count) - 1
    }

    private mutating func putSymbol(_ symbol: Int) {
      switch symbol {
      case 0..<144: putReversed(0x30 + symbol, 8)
      case 144..<256: putReversed(0x190 + symbol - 144, 9)
      case 256..<280: putReversed(symbol - 256, 7)
      default: putReversed(0xC0 + symbol - 280, 8)
      }
    }

    /// Codes go out with their most significant bit first, unlike everything else.
    private mutating func putReversed(_ code: Int, _ count: Int) {
      var reversed = 0
      for bit in 0..<count where code >> bit & 1 == 1 { reversed |= 1 << (count - 1 - bit) }
      put(reversed, count)
    }

    private mutating func put(_ value: Int, _ count: Int) {
      bits |= UInt64(value) << UInt64(bitCount)
      bitCount += count
      while bitCount >= 8 {
        output.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        bitCount -= 8
      }
    }
  }
#endif
