import StagecoachFormats
import Testing

@Suite struct TextDecodingTests {
  private static func mark(_ octets: [UInt8]) -> (charset: Charset, length: Int)? {
    octets.withUnsafeBytes { Charset.detectBOM($0) }
  }

  @Test func recognizesByteOrderMarks() throws {
    #expect(try #require(Self.mark([0xEF, 0xBB, 0xBF, 0x61])) == (.utf8, 3))
    #expect(try #require(Self.mark([0xFE, 0xFF])) == (.utf16BE, 2))
    #expect(try #require(Self.mark([0xFF, 0xFE, 0x61, 0x00])) == (.utf16LE, 2))
    #expect(try #require(Self.mark([0xFF, 0xFE, 0x00, 0x00])) == (.utf32LE, 4))
    #expect(try #require(Self.mark([0x00, 0x00, 0xFE, 0xFF])) == (.utf32BE, 4))
    for none in [[], [0xEF], [0xEF, 0xBB], [0x61, 0xEF, 0xBB, 0xBF], [0x00, 0x00, 0xFE]] as [[UInt8]] {
      #expect(Self.mark(none) == nil)
    }
  }

  /// "é" in a charset, the Content-Type and override that come with it, and the charset that decides.
  @Test(
    arguments: [
      ([0xC3, 0xA9], nil, nil, "UTF-8"),
      ([0xC3, 0xA9], "text/plain", nil, "UTF-8"),
      ([0xC3, 0xA9], "text/plain;charset=no-such", nil, "UTF-8"),
      ([0xC3, 0xA9], "text/plain;charset=\"not a name\"", nil, "UTF-8"),
      ([0xE9], "text/plain;charset=ISO-8859-1", nil, "windows-1252"),
      ([0xE9], "text/plain; Charset=\" latin1\"", nil, "windows-1252"),
      ([0xA8, 0xA6], "text/html;charset=gbk", nil, "GBK"),
      ([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "text/plain;charset=ISO-8859-1", nil, "UTF-8"),
      ([0xFF, 0xFE, 0xE9, 0x00], "text/plain;charset=utf-8", nil, "UTF-16LE"),
      ([0xFE, 0xFF, 0x00, 0xE9], "text/plain;charset=utf-16", nil, "UTF-16BE"),
      ([0xE9, 0x00], "text/plain;charset=utf-16", nil, "UTF-16LE"),
      ([0xE9], "text/plain;charset=utf-8", Charset.windows1252, "windows-1252"),
      ([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], nil, .utf8, "UTF-8"),
      ([0xFF, 0xFE, 0xE9, 0x00], nil, .utf16LE, "UTF-16LE"),
      ([0xFF, 0xFE, 0xE9, 0x00], nil, .utf16, "UTF-16"),
      ([0x00, 0x00, 0xFE, 0xFF, 0x00, 0x00, 0x00, 0xE9], nil, nil, "UTF-32BE"),
      ([0x84, 0x31, 0x95, 0x33, 0xA8, 0xA6], "text/plain;charset=gb18030", nil, "gb18030"),
    ] as [([UInt8], String?, Charset?, String)]
  )
  func theFirstSourceThatNamesACharsetWins(
    octets: [UInt8],
    contentType: String?,
    override: Charset?,
    charset: String
  ) throws {
    let contentType = contentType.flatMap { MediaType($0) }
    let decoded = try Charset.decodeText(octets, contentType: contentType, override: override)
    #expect(decoded.text.unicodeScalars.elementsEqual("\u{E9}".unicodeScalars))
    #expect(decoded.charset.name == charset)
  }

  @Test func onlyOneMarkIsLeftOut() throws {
    let twice: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFE]
    for override in [nil, Charset.utf16, .utf16LE] {
      let decoded = try Charset.decodeText(twice, contentType: nil, override: override)
      #expect(decoded.text == "\u{FEFF}")
    }
    #expect(try Charset.decodeText([0xEF, 0xBB, 0xBF], contentType: nil).text == "")
    #expect(try Charset.decodeText([], contentType: nil).text == "")
  }

  @Test func offsetsCountTheMark() throws {
    let octets: [UInt8] = [0xEF, 0xBB, 0xBF, 0x61, 0xFF]
    #expect(throws: CharsetError.undecodable("UTF-8", offset: 4)) {
      try Charset.decodeText(octets, contentType: nil)
    }
    #expect(try Charset.decodeText(octets, contentType: nil, mode: .lossy).text == "a\u{FFFD}")
  }

  @Test func anUnknownOverrideIsAnError() throws {
    let charset = try #require(Charset("no-such"))
    #expect(throws: CharsetError.unknown("NO-SUCH")) {
      try Charset.decodeText([0x61], contentType: nil, override: charset)
    }
  }
}
