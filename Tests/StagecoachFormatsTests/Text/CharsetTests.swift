import StagecoachFormats
import Testing

@Suite struct CharsetTests {
  @Test(arguments: [
    ("utf8", "UTF-8"), ("UTF-8", "UTF-8"), ("Utf-8", "UTF-8"), ("utf16", "UTF-16LE"),
    ("UTF-16LE", "UTF-16LE"),
    ("ucs-2", "UTF-16LE"), ("utf-32be", "UTF-32BE"), ("ascii", "windows-1252"),
    ("latin1", "windows-1252"), ("latin-1", "windows-1252"), ("cp1252", "windows-1252"),
    ("Windows-1252", "windows-1252"), ("cp1251", "windows-1251"), ("x-cp1250", "windows-1250"),
    ("gbk", "GBK"),
    ("gb2312", "GBK"), ("x-gbk", "GBK"), ("gb18030", "gb18030"), ("big5", "Big5"), ("sjis", "Shift_JIS"),
    ("shift_jis", "Shift_JIS"), ("cp932", "CP932"), ("euc-kr", "EUC-KR"), ("ks_c_5601-1987", "EUC-KR"),
    ("koi8-r", "KOI8-R"), ("iso-8859-2", "ISO-8859-2"), ("no-such-charset", "NO-SUCH-CHARSET"),
  ])
  func labelsAreReadInAnyCaseAndByAlias(label: String, name: String) throws {
    let charset = try #require(Charset(label))
    #expect(charset.name == name)
    #expect(Charset(label.uppercased()) == charset)
    #expect(Charset(name) == charset)
  }

  @Test(arguments: [
    "", " ", "+", ".", "-", ":utf-8", "utf- 8", "utf-8//TRANSLIT", "utf-8//IGNORE", "utf 8", "'utf-8'",
    "utf-8\u{0}", "\u{FC}tf-8", "a,b",
    "/etc/x",
    "x\ny", String(repeating: "a", count: 41),
  ])
  func refusesAMalformedName(label: String) {
    #expect(Charset(label) == nil)
  }

  @Test(arguments: ["no-such-charset", "char", "wchar_t", "INTERNAL", "UCS-4-INTERNAL", "utf-8:"])
  func unknownNamesAreErrors(label: String) throws {
    let charset = try #require(Charset(label))
    #expect(!charset.isSupported)
    for mode in [Charset.Mode.strict, .lossy] {
      #expect(throws: CharsetError.unknown(charset.name)) { try charset.decode([0x61], mode: mode) }
    }
  }

  @Test(arguments: [Charset.utf8, .utf16, .utf32LE, .usASCII, .isoLatin1, .windows1252])
  func builtInCharsetsAreSupported(charset: Charset) throws {
    #expect(charset.isSupported)
    #expect(try charset.decode([]).isEmpty)
  }

  @Test(
    arguments: [
      (.isoLatin1, "a\u{E4}\u{20AC}\u{416}", "\u{20AC}"), (.usASCII, "aa\u{E4}", "\u{E4}"),
      (.windows1252, "\u{20AC}\u{416}\u{416}", "\u{416}"),
      (Charset("koi8-r") ?? .utf8, "\u{416}\u{E4}", "\u{E4}"),
    ] as [(Charset, String, Unicode.Scalar)]
  )
  func theFirstCharacterWithoutAPlaceIsNamed(charset: Charset, text: String, character: Unicode.Scalar) {
    let error = #expect(throws: CharsetError.self) { try charset.encode(text) }
    #expect(error == .unencodable(charset.name, character: character))
    #expect(error?.description.contains(String(character.value, radix: 16, uppercase: true)) == true)
  }

  @Test(arguments: [Charset.utf8, .utf16, .utf16LE, .utf32, .utf32BE, .isoLatin1, .windows1252])
  func whatIsEncodedIsDecoded(charset: Charset) throws {
    if charset == .windows1252 {
      let octets = Array(UInt8.min...UInt8.max)
      #expect(try charset.encode(try charset.decode(octets)) == octets)
    }
    let text = charset == .isoLatin1 || charset == .windows1252 ? "a\u{E4}\u{FF}" : "a\u{E4}\u{1F474}\u{20AC}"
    #expect(try charset.decode(try charset.encode(text)) == text)
    #expect(try charset.decode(try charset.encode("")).isEmpty)
  }

  @Test func unknownCharsetsHaveNoEncoderEither() throws {
    let charset = try #require(Charset("no-such-charset"))
    #expect(throws: CharsetError.unknown("NO-SUCH-CHARSET")) { try charset.encode("a") }
  }

  @Test func errorsNameTheCharsetAndTheWayOut() {
    #expect(CharsetError.unknown("X-FOO").description.contains("X-FOO"))
    let undecodable = CharsetError.undecodable("GBK", offset: 17).description
    #expect(undecodable.contains("GBK") && undecodable.contains("17") && undecodable.contains("lossy"))
  }
}
