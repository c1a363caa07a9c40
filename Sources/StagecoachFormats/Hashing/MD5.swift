/// MD5 (RFC 1321). It is broken as a signature, but most Digest servers use it.
package typealias MD5 = BlockHash<MD5Blocks>

/// The block function of MD5.
package struct MD5Blocks: BlockFunction {
  package static let blockSize = 64

  package static func lengthField(byteCount: UInt64) -> [UInt8] { (byteCount &* 8).bigEndianBytes.reversed() }

  private var state = SIMD4<UInt32>(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)

  package init() {}

  package var digest: [UInt8] {
    (0..<4).flatMap { state[$0].bigEndianBytes.reversed() }
  }

  package mutating func absorb(_ blocks: UnsafeRawBufferPointer) {
    for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
      let block = UnsafeRawBufferPointer(rebasing: blocks[start..<(start + Self.blockSize)])
      var words = state
      Self.round(0, block, &words, word: { $0 }, mix: { $0 & $1 | ~$0 & $2 })
      Self.round(1, block, &words, word: { 5 &* $0 &+ 1 }, mix: { $0 & $2 | $1 & ~$2 })
      Self.round(2, block, &words, word: { 3 &* $0 &+ 5 }, mix: { $0 ^ $1 ^ $2 })
      Self.round(3, block, &words, word: { 7 &* $0 }, mix: { $1 ^ ($0 | ~$2) })
      state &+= words
    }
  }

  /// Performs sixteen steps, each with another word of the block.
  @inline(__always)
  private static func round(
    _ number: Int,
    _ block: UnsafeRawBufferPointer,
    _ state: inout SIMD4<UInt32>,
    word: (Int) -> Int,
    mix: (UInt32, UInt32, UInt32) -> UInt32
  ) {
    let constants = constants
    let shifts = shifts
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<16 {
      let input = block.loadUnaligned(fromByteOffset: (word(step) & 15) * 4, as: UInt32.self)
      let sum = a &+ mix(b, c, d) &+ constants[number * 16 + step] &+ UInt32(littleEndian: input)
      (a, d, c, b) = (d, c, b, b &+ sum.rotatedRight(32 - shifts[number * 4 + step % 4]))
    }
    state = SIMD4(a, b, c, d)
  }

  /// Of each round four, again and again.
  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

  private static let constants: [UInt32] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
  ]
}
