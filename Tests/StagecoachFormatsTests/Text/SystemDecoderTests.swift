import StagecoachFormats
import TestSupport
import Testing

/// The octets were made with Python's codecs and read back with the `iconv` program.
@Suite struct SystemDecoderTests {
  private static func octets(_ hex: String) -> [UInt8] {
    hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
  }

  @Test(arguments: [
    ("GBK", "d6 d0 ce c4 b2 e2 ca d4 a3 ac d6 ec e9 46 bb f9", "中文测试，朱镕基"),
    ("gb2312", "d6 d0 ce c4 e9 46", "中文镕"),
    ("GB18030", "d6 d0 ce c4 a8 b9 95 34 b2 35 a2 e3", "中文ü𠮷€"),
    ("Big5", "c1 63 c5 e9 a4 a4 a4 e5 a1 41 b3 5c a5 5c bb 5c", "繁體中文，許功蓋"),
    ("Shift_JIS", "93 fa 96 7b 8c ea 83 5c 81 5b 83 58 95 5c 20 b6 c5 5c 7e", "日本語ソース表 ｶﾅ\\~"),
    ("Big5", "a1 fe a2 40 88 62 f9 fe", "／＼\u{CA}\u{304}\u{FFED}"),
    ("GBK", "e9 46 80", "镕€"),
    ("EUC-JP", "ad a1 8e b6 8f b0 a1", "①ｶ丂"),
    ("windows-31J", "87 40 87 8a ee e0", "①㈱髙"),
    ("CP932", "87 40 87 8a ee e0", "①㈱髙"),
    ("EUC-JP", "c6 fc cb dc b8 ec a5 bd a1 bc a5 b9 c9 bd", "日本語ソース表"),
    (
      "ISO-2022-JP",
      "1b 24 42 46 7c 4b 5c 38 6c 1b 28 42 20 61 62 63 20 1b 24 42 25 46 25 39 25 48 1b 28 42",
      "日本語 abc テスト"
    ),
    ("ISO-2022-JP", "1b 24 42 2d 21 7c 7e 7c 62 46 7c 1b 28 49 31 1b 28 42 61", "①＂髙日ｱa"),
    ("EUC-KR", "c7 d1 b1 b9 be ee 20 bd c3 c7 e8", "한국어 시험"),
    ("ks_c_5601-1987", "8c 63 b9 e6 b0 a2 c7 cf", "똠방각하"),
    ("KOI8-R", "f0 d2 c9 d7 c5 d4 2c 20 cd c9 d2", "Привет, мир"),
    ("KOI8-U", "eb c9 a7 d7 20 ad", "Київ ґ"),
    ("windows-1250", "50 f8 ed 6c 69 9a 20 9e 6c 75 9d 6f 75 e8 6b fd", "Příliš žluťoučký"),
    ("windows-1251", "cf f0 e8 e2 e5 f2 20 b9 31", "Привет №1"),
    ("windows-1253", "c5 eb eb e7 ed e9 ea dc", "Ελληνικά"),
    ("windows-1256", "e3 d1 cd c8 c7", "مرحبا"),
    ("ISO-8859-2", "a3 f3 64 bc", "Łódź"),
    ("ISO-8859-15", "a4 75 72 6f 20 bc 75 76 72 65", "€uro Œuvre"),
    ("TIS-620", "ca c7 d1 ca b4 d5", "สวัสดี"),
    ("IBM437", "b3 82 b3", "│é│"),
  ])
  func decodesSamplesOfEachCharset(label: String, hex: String, expected: String) throws {
    let charset = try #require(Charset(label))
    #expect(charset.isSupported)
    for mode in [Charset.Mode.strict, .lossy] {
      let text = try charset.decode(Self.octets(hex), mode: mode)
      #expect(text.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }
  }

  @Test(arguments: [
    // A lead octet before ASCII, at the end, and an octet that starts nothing.
    ("GBK", "61 d6 20 62", 1, "a\u{FFFD} b"),
    ("GBK", "d6 d0 d6", 2, "中\u{FFFD}"),
    ("GBK", "61 ff 62 ff", 1, "a\u{FFFD}b\u{FFFD}"),
    ("GBK", "61 d6 ff 62", 1, "a\u{FFFD}b"),
    ("GB18030", "61 81 30 81", 1, "a\u{FFFD}0\u{FFFD}"),
    ("Big5", "a4 a4 a4", 2, "中\u{FFFD}"),
    ("Shift_JIS", "93 fa 93", 2, "日\u{FFFD}"),
    ("EUC-KR", "c7 d1 c7 20", 2, "한\u{FFFD} "),
    ("ISO-2022-JP", "1b 24 42 46 7c ff 4b 5c 1b 28 42 61", 5, "日\u{FFFD}本a"),
    // An ASCII octet is no part of an ill-formed sequence: it could end an attribute or a tag.
    ("GBK", "81 3c", 0, "\u{FFFD}<"),
    ("GB18030", "81 30 3c 61", 0, "\u{FFFD}0<a"),
    ("GB18030", "81 30 81 3c", 0, "\u{FFFD}0\u{FFFD}<"),
    ("GB18030", "fe 39 fe 39 3c", 0, "\u{FFFD}9\u{FFFD}9<"),
    ("Big5", "a1 22 81 40 3e", 0, "\u{FFFD}\"\u{FFFD}@>"),
    ("Shift_JIS", "81 22 a0 fc fc 3c", 0, "\u{FFFD}\"\u{FFFD}\u{FFFD}<"),
    ("EUC-JP", "61 8f a1 3c", 1, "a\u{FFFD}<"),
    ("EUC-JP", "8e 3c ff", 0, "\u{FFFD}<\u{FFFD}"),
    // The octets of one character are one U+FFFD, and what is behind them is read as before.
    ("EUC-KR", "c9 a1 c7 d1 b1 db", 0, "\u{FFFD}한글"),
    ("Shift_JIS", "85 9f 93 fa 96 7b", 0, "\u{FFFD}日本"),
    ("Big5", "81 80 a4 a4", 0, "\u{FFFD}中"),
    ("EUC-JP", "8f a1 fe a4 a2", 0, "\u{FFFD}あ"),
    ("ISO-2022-JP", "1b 24 42 22 2f 24 22", 3, "\u{FFFD}あ"),
    // A decoder of glibc consumes the octets of this error.
    ("EUC-KR", "61 a2 e8 c7 d1 a2 e8 3c", 3, "a\u{FFFD}한\u{FFFD}<"),
    ("ISO-2022-JP", "61 1b 24 42 46 1b 28 42 3c", 4, "a\u{FFFD}<"),
    ("windows-1253", "c5 d2 e7", 1, "Ε\u{FFFD}η"),
  ])
  func refusesOrReplacesInvalidSequences(label: String, hex: String, offset: Int, lossy: String) throws {
    let charset = try #require(Charset(label))
    let octets = Self.octets(hex)
    #expect(throws: CharsetError.undecodable(charset.name, offset: offset)) { try charset.decode(octets) }
    #expect(try charset.decode(octets, mode: .lossy) == lossy)
  }

  @Test(.enabled(if: isGlibc))
  func whatGlibcConsumesAndRejectsIsAnError() throws {
    let charset = try #require(Charset("uhc"))
    #expect(try charset.decode([0x61, 0xA2, 0xE8], mode: .lossy) == "a\u{FFFD}")
    #expect(throws: CharsetError.self) { try charset.decode([0x61, 0xA2, 0xE8]) }
  }

  @Test func aCharacterHeldBackIsNotLost() throws {
    // windows-1258 waits for a combining mark behind a vowel.
    let charset = try #require(Charset("windows-1258"))
    #expect(try charset.decode(Self.octets("56 69 ea")) == "Vi\u{EA}")
    #expect(try charset.decode(Self.octets("56 69 ea f2 74")) == "Vi\u{1EC7}t")
    #expect(try charset.decode(Self.octets("56 69 ea d2 74"), mode: .lossy) == "Vi\u{EA}\u{309}t")
  }

  @Test func decodesTextsLongerThanTheBuffer() throws {
    let charset = try #require(Charset("GBK"))
    let octets = Array(repeating: [0xD6, 0xD0, 0x61] as [UInt8], count: 10_000).flatMap { $0 }
    let expected = String(repeating: "中a", count: 10_000)
    #expect(try charset.decode(octets) == expected)
    #expect(try charset.decode(octets + [0xFF] + octets, mode: .lossy) == expected + "\u{FFFD}" + expected)
    #expect(throws: CharsetError.undecodable("GBK", offset: 30_000)) { try charset.decode(octets + [0xFF]) }
  }

  @Test(arguments: ["GBK", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "ISO-2022-JP"])
  func anyOctetsAreReadInLossyMode(label: String) throws {
    let charset = try #require(Charset(label))
    var state: UInt32 = 1
    let octets = (0..<20_000).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    let text = try charset.decode(octets, mode: .lossy)
    #expect(text.contains("\u{FFFD}"))
    #expect(throws: CharsetError.self) { try charset.decode(octets) }
  }
}
