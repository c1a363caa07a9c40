import StagecoachFormats
import TestSupport
import Testing

@Suite struct SingleByteCoderTests {
  @Test func latin1TakesEveryOctetAsItsNumber() throws {
    let octets = Array(UInt8.min...UInt8.max)
    let text = try Charset.isoLatin1.decode(octets)
    #expect(text.unicodeScalars.map(\.value) == octets.map(UInt32.init))
  }

  @Test func asciiEndsAt0x7F() throws {
    #expect(try Charset.usASCII.decode([0x00, 0x41, 0x7F]) == "\u{0}A\u{7F}")
    #expect(throws: CharsetError.undecodable("US-ASCII", offset: 1)) {
      try Charset.usASCII.decode([0x41, 0x80])
    }
    #expect(try Charset.usASCII.decode([0x41, 0x80, 0xFF, 0x42], mode: .lossy) == "A\u{FFFD}\u{FFFD}B")
  }

  @Test func decodesAndEncodesWindows1252() throws {
    // Encoded with Python's cp1252.
    let octets: [UInt8] = [
      0x6E, 0x61, 0xEF, 0x76, 0x65, 0x20, 0x93, 0x71, 0x75, 0x6F, 0x74, 0x65, 0x73, 0x94, 0x20, 0x96, 0x20,
      0x80,
    ]
    #expect(try Charset.windows1252.decode(octets) == "naïve “quotes” – €")
  }

  /// The table is the one of the C library, which was made by others, and leaves five octets out.
  @Test func windows1252AgreesWithIconv() throws {
    let other = try #require(Charset("MS-ANSI"))
    try #require(other.isSupported)
    for octet in UInt8.min...UInt8.max {
      let expected = (try? other.decode([octet])) ?? String(Unicode.Scalar(octet))
      #expect(try Charset.windows1252.decode([octet]) == expected)
    }
  }

  @Test(arguments: [0x81, 0x8D, 0x8F, 0x90, 0x9D] as [UInt8])
  func decodesUnassignedOctetsOfWindows1252AsControls(octet: UInt8) throws {
    for mode in [Charset.Mode.strict, .lossy] {
      let text = try Charset.windows1252.decode([0x61, octet], mode: mode)
      #expect(text.unicodeScalars.map(\.value) == [0x61, UInt32(octet)])
    }
  }
}
