import StagecoachFormats
import Testing

#if canImport(Glibc)
  let isGlibc = true
#else
  let isGlibc = false
#endif

/// Labels and decoders of WHATWG Encoding. The labels and the checksums were made with encoding_rs, which browsers use.
@Suite struct WebCharsetTests {
  private static let table = """
    Big5: big5 big5-hkscs cn-big5 csbig5 x-x-big5
    EUC-JP: cseucpkdfmtjapanese euc-jp x-euc-jp
    EUC-KR: cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 \
      windows-949
    gb18030: gb18030
    GBK: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
    IBM866: 866 cp866 csibm866 ibm866
    ISO-2022-JP: csiso2022jp iso-2022-jp
    ISO-8859-10: csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
    ISO-8859-13: iso-8859-13 iso8859-13 iso885913
    ISO-8859-14: iso-8859-14 iso8859-14 iso885914
    ISO-8859-15: csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
    ISO-8859-16: iso-8859-16
    ISO-8859-2: csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
    ISO-8859-3: csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
    ISO-8859-4: csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
    ISO-8859-5: csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
    ISO-8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e \
      iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
    ISO-8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 \
      iso_8859-7:1987 sun_eu_greek
    ISO-8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 \
      iso_8859-8:1988 visual
    ISO-8859-8-I: csiso88598i iso-8859-8-i logical
    KOI8-R: cskoi8r koi koi8 koi8-r koi8_r
    KOI8-U: koi8-ru koi8-u
    macintosh: csmacintosh mac macintosh x-mac-roman
    Shift_JIS: csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
    UTF-16BE: unicodefffe utf-16be
    UTF-16LE: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
    UTF-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8
    windows-1250: cp1250 windows-1250 x-cp1250
    windows-1251: cp1251 windows-1251 x-cp1251
    windows-1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 \
      iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
    windows-1253: cp1253 windows-1253 x-cp1253
    windows-1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 \
      windows-1254 x-cp1254
    windows-1255: cp1255 windows-1255 x-cp1255
    windows-1256: cp1256 windows-1256 x-cp1256
    windows-1257: cp1257 windows-1257 x-cp1257
    windows-1258: cp1258 windows-1258 x-cp1258
    windows-874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
    x-mac-cyrillic: x-mac-cyrillic x-mac-ukrainian
    """

  static let labels = table.split(separator: "\n").flatMap { line in
    let parts = line.split(separator: ": ", maxSplits: 1)
    return parts[1].split(separator: " ").map { (String($0), String(parts[0])) }
  }

  @Test func everyLabelMeansWhatItMeansOnTheWeb() throws {
    #expect(Self.labels.count == 221)
    for (label, name) in Self.labels {
      for label in [label, label.uppercased(), " \t\(label)\r\n"] {
        let charset = try #require(Charset(label))
        #expect(charset.name == name, "\(label)")
        #expect(charset.isSupported, "\(label)")
      }
    }
  }

  private static func checksum(_ text: String) -> UInt32 {
    text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }

  @Test(
    .enabled(if: isGlibc, "other C libraries have other characters"),
    arguments: [
      ("IBM866", 0x7FC9_BDBA), ("ISO-8859-2", 0x9AB4_EADC), ("ISO-8859-3", 0xAC46_3A15),
      ("ISO-8859-4", 0xD327_F475), ("ISO-8859-5", 0x0135_7BED), ("ISO-8859-6", 0xDE82_7FDC),
      ("ISO-8859-7", 0xE69D_ACF1), ("ISO-8859-8", 0x5817_797D), ("ISO-8859-8-I", 0x5817_797D),
      ("ISO-8859-10", 0x2595_F55F), ("ISO-8859-13", 0x9F2F_EA7D), ("ISO-8859-14", 0xDB21_E7B3),
      ("ISO-8859-15", 0x6F3D_B392), ("ISO-8859-16", 0xAB4D_FD64), ("KOI8-R", 0xC780_0E51),
      ("windows-874", 0xFAF7_C799),
      ("windows-1250", 0xAE82_C911), ("windows-1251", 0x8167_1701), ("windows-1252", 0x54D5_EA88),
      ("windows-1253", 0x09E3_88CC), ("windows-1254", 0x3A6D_FDC4),
      ("windows-1256", 0xE965_52EB), ("windows-1257", 0x079D_CEFA), ("windows-1258", 0x232E_E99F),
    ] as [(String, UInt32)]
  )
  func decodesEachOctetAsBrowsersDo(label: String, checksum: UInt32) throws {
    let octets = (UInt8(0x80)...0xFF).flatMap { [$0, 0x0A] as [UInt8] }
    let text = try #require(Charset(label)).decode(octets, mode: .lossy)
    #expect(Self.checksum(text) == checksum)
  }

  /// A quotation mark or a tag that ends is text, whatever octets come before it.
  @Test(arguments: ["Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "GBK", "gb18030", "windows-1251", "KOI8-U"])
  func octetsOfASCIIAreKept(label: String) throws {
    let charset = try #require(Charset(label))
    var lost: [[UInt8]] = []
    for lead in UInt8(0x80)...0xFF {
      for trail in UInt8.min...0xFF {
        let octets = [lead, trail, 0x3C]
        if try charset.decode(octets, mode: .lossy).utf8.last != 0x3C { lost.append(octets) }
      }
    }
    #expect(lost.isEmpty)
  }

  @Test(
    arguments: [
      "Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "GBK", "gb18030", "ISO-2022-JP", "windows-1258",
      "windows-1252",
    ]
  )
  func octetsDoNotDependOnTheirPieces(label: String) throws {
    let charset = try #require(Charset(label))
    // All octets, and those that start or end sequences.
    let parts: [UInt8] = [
      0x1B, 0x24, 0x28, 0x42, 0x49, 0x21, 0x30, 0x39, 0x3C, 0x80, 0x81, 0x8E, 0x8F, 0xA1, 0xA2, 0xE8, 0xFE,
      0xFF,
    ]
    let octets = Self.random(3_000) + Self.random(3_000).map { parts[Int($0) % parts.count] }
    let whole = try charset.decode(octets, mode: .lossy)
    for size in [1, 2, 3, 7] {
      let decoder = try #require(PiecewiseDecoder(charset, mode: .lossy))
      var (text, rest): (String, [UInt8]) = ("", [])
      for start in stride(from: 0, to: octets.count, by: size) {
        rest += octets[start..<min(start + size, octets.count)]
        let (piece, count, _) = rest.withUnsafeBytes { decoder.decode($0, isLast: false) }
        text += piece
        rest.removeFirst(count)
        // Nothing longer than a character waits for more.
        try #require(rest.count < 4)
      }
      text += rest.withUnsafeBytes { decoder.decode($0, isLast: true).text }
      #expect(text.unicodeScalars.elementsEqual(whole.unicodeScalars), "pieces of \(size)")
    }
  }

  private static func random(_ count: Int) -> [UInt8] {
    var state: UInt32 = 7
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }
}
