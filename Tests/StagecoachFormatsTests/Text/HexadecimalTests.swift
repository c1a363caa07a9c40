import StagecoachFormats
import Testing

@Suite struct HexadecimalTests {
  @Test func octetsHaveTwoDigitsEach() {
    #expect([0, 1, 0x9F, 0xFF].hexadecimal == "00019fff")
    #expect([UInt8]().hexadecimal.isEmpty)
    #expect(UInt64(0x1F).bigEndianBytes.hexadecimal == "000000000000001f")
  }

  @Test func digitsOfEitherCaseAreDecoded() {
    #expect(Hexadecimal.decode("00019fFF".utf8) == [0, 1, 0x9F, 0xFF])
    #expect(Hexadecimal.decode("".utf8) == [])
    for text in ["0", "0g", "+1", "00 1", "ü0"] { #expect(Hexadecimal.decode(text.utf8) == nil) }
    let octets = Array(UInt8.min...UInt8.max)
    #expect(Hexadecimal.decode(octets.hexadecimal.utf8) == octets)
  }
}
