import StagecoachFormats
import TestSupport
import Testing

@Suite struct ChecksumsTests {
  /// The check value of the CRC, and sums that zlib computes.
  @Test(
    arguments: [
      ("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926),
      ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ] as [(String, UInt32)]
  )
  func computesTheCRCOfGzip(_ text: String, _ sum: UInt32) {
    #expect(CRC32.of(Array(text.utf8)) == sum)
  }

  @Test func theCRCGoesOnWhereverTheBytesAreCut() {
    var random = SplitMix(state: 1)
    let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
    let whole = CRC32.of(bytes)
    for cut in 0...bytes.count {
      let start = bytes[..<cut].withUnsafeBytes { CRC32.of($0) }
      #expect(bytes[cut...].withUnsafeBytes { CRC32.of($0, after: start) } == whole)
    }
  }

  @Test func computesTheAdlerSumOfZlib() {
    #expect(Adler32.of(Array("Wikipedia".utf8)) == 0x11E6_0398)
  }
}
