/// SHA-512 (FIPS 180-4).
package typealias SHA512 = BlockHash<SHA512Blocks>

/// The block function of SHA-512: that of SHA-512/256 with other initial values and its whole state.
package struct SHA512Blocks: BlockFunction {
  package static let blockSize = SHA512_256Blocks.blockSize

  package static func lengthField(byteCount: UInt64) -> [UInt8] {
    SHA512_256Blocks.lengthField(byteCount: byteCount)
  }

  private var blocks = SHA512_256Blocks(
    SIMD8(
      0x6a09_e667_f3bc_c908,
      0xbb67_ae85_84ca_a73b,
      0x3c6e_f372_fe94_f82b,
      0xa54f_f53a_5f1d_36f1,
      0x510e_527f_ade6_82d1,
      0x9b05_688c_2b3e_6c1f,
      0x1f83_d9ab_fb41_bd6b,
      0x5be0_cd19_137e_2179
    )
  )

  package init() {}

  package var digest: [UInt8] { blocks.words }

  package mutating func absorb(_ bytes: UnsafeRawBufferPointer) { blocks.absorb(bytes) }
}
