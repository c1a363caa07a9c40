import Stagecoach
import StagecoachXML
import Testing

@Suite struct HTMLEncodingTests {
  private func text(
    _ bytes: [UInt8],
    chunk: Int = .max,
    encoding: String? = nil,
    fallback: Charset? = nil
  ) throws -> String {
    try parseHTML(bytes, chunk: chunk, encoding: encoding, fallback: fallback).xpath("string(//p)").string
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    var label: String
    var bytes: [UInt8]
    var text: String
    var testDescription: String { label }
  }

  static let samples = [
    Sample(label: "UTF-8", bytes: Array("Grüße 世界 😀".utf8), text: "Grüße 世界 😀"),
    Sample(label: "latin1", bytes: [0x93, 0xFC, 0x94, 0x80], text: "“ü”€"),
    Sample(label: "ISO-8859-1", bytes: [0x93, 0xFC, 0x94, 0x80], text: "“ü”€"),
    Sample(label: "us-ascii", bytes: [0xE9], text: "é"),
    Sample(label: "windows-1252", bytes: [0x85], text: "…"),
    Sample(label: "iso-8859-9", bytes: [0xFE, 0x80], text: "ş€"),
    Sample(label: "ISO-8859-2", bytes: [0xB1], text: "ą"),
    Sample(label: "Shift_JIS", bytes: [0x93, 0xFA, 0x96, 0x7B, 0x83, 0x5C], text: "日本ソ"),
    Sample(label: "x-sjis", bytes: [0x87, 0x40], text: "①"),
    Sample(label: "EUC-JP", bytes: [0xC6, 0xFC], text: "日"),
    Sample(label: "gb2312", bytes: [0xC4, 0xE3, 0xBA, 0xC3], text: "你好"),
    Sample(label: "Big5", bytes: [0xA7, 0x41], text: "你"),
    Sample(label: "euc-kr", bytes: [0xC7, 0xD1], text: "한"),
    Sample(label: "KOI8-R", bytes: [0xD0, 0xD2, 0xC9], text: "при"),
    Sample(label: "windows-1251", bytes: [0xEF, 0xF0, 0xE8], text: "при"),
    Sample(label: "iso-2022-jp", bytes: [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], text: "日"),
  ]

  @Test(arguments: samples, [1, 5, .max])
  func readsTheCharsetOfTransportOrMeta(_ sample: Sample, chunk: Int) throws {
    let filler = String(repeating: "<b>x</b>\n", count: 300)
    let end = Array("</p>\(filler)".utf8)
    let bare = Array("<p>".utf8) + sample.bytes + end
    #expect(try text(bare, chunk: chunk, encoding: sample.label) == sample.text)
    #expect(try text(bare, chunk: chunk, encoding: " \(sample.label) ") == sample.text)
    for meta in [
      "<meta charset=\"\(sample.label)\">", "<META CHARSET=\(sample.label)>",
      "<meta http-equiv='Content-Type' content='text/html; charset=\(sample.label)'>",
      "<!-- <meta charset=utf-16> --><title a='<meta charset=gbk>'></title>"
        + "<meta content=\"text/html;charset = '\(sample.label)'\" http-equiv=content-type />",
      "<?xml version='1.0' encoding='\(sample.label)'?><html>",
    ] {
      #expect(try text(Array(meta.utf8) + bare, chunk: chunk) == sample.text, "\(meta)")
    }
  }

  @Test(arguments: [true, false], [1, 7, .max])
  func readsUTF16(bigEndian: Bool, chunk: Int) throws {
    let page =
      "<!DOCTYPE html><meta charset=utf-8><p>Grüße, 世界 😀</p>" + String(repeating: "<b>😀</b>", count: 300)
    let expected = "Grüße, 世界 😀"
    #expect(
      try text(StagecoachXMLTests.utf16(page, bigEndian: bigEndian, mark: true), chunk: chunk) == expected
    )
    let bare = StagecoachXMLTests.utf16(page, bigEndian: bigEndian, mark: false)
    #expect(try text(bare, chunk: chunk, encoding: bigEndian ? "utf-16be" : "utf-16le") == expected)
    #expect(try text(bare, chunk: chunk, encoding: "UTF-16") == expected)
    if bigEndian { #expect(try text(bare, chunk: chunk, fallback: .utf16) == expected) }
    let xhtml = StagecoachXMLTests.utf16(
      "<?xml version='1.0' encoding='utf-16'?>" + page,
      bigEndian: bigEndian,
      mark: false
    )
    #expect(try text(xhtml, chunk: chunk) == expected)
  }

  @Test(arguments: [1, .max])
  func byteOrderMarkBeatsTransportBeatsMeta(chunk: Int) throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let latin = Array("<meta charset=latin1><p>".utf8)
    let character = Array("ü</p>".utf8)
    #expect(try text(mark + latin + character, chunk: chunk, encoding: "windows-1251") == "ü")
    #expect(try text(latin + character, chunk: chunk, encoding: "utf-8") == "ü")
    #expect(try text(latin + character, chunk: chunk) == "Ã¼")
    // Whoever can read the declaration does not read UTF-16.
    #expect(try text(Array("<meta charset=utf-16><p>".utf8) + character, chunk: chunk) == "ü")
    #expect(try text(Array("<meta charset=x-user-defined><p>".utf8) + [0x80, 0x3C], chunk: chunk) == "€<")
    // libxml2 does not switch once more.
    let second = Array("<meta charset=utf-8><meta charset=koi8-r><p>".utf8)
    #expect(try text(second + character, chunk: chunk) == "ü")
    // Too late.
    let late = Array((String(repeating: " ", count: 1024) + "<meta charset=koi8-r><p>").utf8)
    #expect(try text(late + character, chunk: chunk) == "ü")
  }

  @Test(arguments: ["nope", "", "utf-7", "utf-32", "//", "ibm037", "utf-8\0", "../x"], [1, .max])
  func unknownLabelsDecideNothing(label: String, chunk: Int) throws {
    let meta = Array("<meta charset=koi8-r><p>".utf8)
    #expect(try text(meta + [0xD0], chunk: chunk, encoding: label) == "п")
    #expect(try text(Array("<meta charset='\(label)'><p>".utf8) + [0xE9], chunk: chunk) == "é")
  }

  /// The web has no decoder for them, since their octets can hide markup (Encoding Standard 14.1).
  @Test(arguments: ["iso-2022-kr", "hz-gb-2312", "ISO-2022-CN", "replacement"], [1, .max])
  func charsetsThatTheWebRefusesAreRefused(label: String, chunk: Int) {
    for (bytes, encoding) in [("<p>x</p>", label), ("<meta charset=\(label)><p>x</p>", nil)] {
      #expect(throws: XML.ParseError.self) {
        try text(Array(bytes.utf8), chunk: chunk, encoding: encoding)
      }
    }
  }

  @Test(arguments: [1, 2, .max])
  func fallsBackToUTF8OrElseWindows1252(chunk: Int) throws {
    let ascii = Array(("<p>" + String(repeating: "x", count: 3_000)).utf8)
    func last(_ bytes: [UInt8], _ fallback: Charset? = nil) throws -> String {
      String(try text(ascii + bytes, chunk: chunk, fallback: fallback).drop { $0 == "x" })
    }
    #expect(try last(Array("ü😀".utf8)) == "ü😀")
    #expect(try last([0xFC, 0x62]) == "üb")
    #expect(try last([0xFC]) == "ü")
    #expect(try last([0xC3]) == "Ã")
    #expect(try last([0xE4, 0xB8]) == "ä¸")
    // The first character decides.
    #expect(try last(Array("ü".utf8) + [0xFC]) == "ü\u{FFFD}")
    #expect(try last([0xC3, 0xBC], .windows1252) == "Ã¼")
    #expect(try last([0xD0], Charset("koi8-r")) == "п")
  }

  @Test func theCharsetIsKnown() throws {
    let parser = XML.HTMLParser()
    try Array("<meta charset=shift_jis><p>x".utf8).withUnsafeBytes { try parser.append($0) }
    #expect(parser.charset == nil)
    _ = try parser.finish()
    #expect(parser.charset == Charset("shift_jis"))
  }

  @Test(arguments: [1, 3, .max])
  func replacesInvalidOctets(chunk: Int) throws {
    let open = Array("<p>".utf8), close = Array("</p>z".utf8)
    #expect(try text(open + [0xFF, 0x61] + close, chunk: chunk, encoding: "utf-8") == "\u{FFFD}a")
    #expect(try text(open + [0xE4, 0xB8] + close, chunk: chunk, encoding: "utf-8") == "\u{FFFD}")
    #expect(
      try text(open + [0xED, 0xA0, 0x80] + close, chunk: chunk, encoding: "utf-8").contains("\u{FFFD}")
    )
    #expect(try text(open + [0xF0, 0x9F, 0x98], chunk: chunk, encoding: "utf-8") == "\u{FFFD}")
    #expect(try text(open + [0x81] + close, chunk: chunk, encoding: "shift_jis").hasPrefix("\u{FFFD}"))
    let lone = [0x3C, 0, 0x70, 0, 0x3E, 0, 0, 0xD8, 0x61, 0] as [UInt8]
    #expect(try text(lone, chunk: chunk, encoding: "utf-16le") == "\u{FFFD}a")
    #expect(try text(lone + [0x62], chunk: chunk, encoding: "utf-16le") == "\u{FFFD}a\u{FFFD}")
  }
}
