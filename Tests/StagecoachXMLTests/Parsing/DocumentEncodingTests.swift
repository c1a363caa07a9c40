import StagecoachXML
import Testing

@Suite struct DocumentEncodingTests {
  private static let text = "<a b=\"ü\">Grüße, 世界 😀</a>"

  @Test(arguments: [true, false], [1, 7, 4096])
  func readsMarkedOrDeclaredUTF16(bigEndian: Bool, chunk: Int) throws {
    for declaration in ["", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>"] {
      for mark in [true, false] {
        // Without a mark, only a declaration tells (XML 1.0, appendix F).
        guard mark || !declaration.isEmpty else { continue }
        let bytes = utf16(declaration + Self.text, bigEndian: bigEndian, mark: mark)
        let root = try parse(bytes, chunk: chunk).root
        #expect(root.text == "Grüße, 世界 😀")
        #expect(root.attribute("b") == "ü")
      }
    }
  }

  @Test(arguments: [true, false], [1, 7, 4096])
  func readsUTF16NamedByTheTransport(bigEndian: Bool, chunk: Int) throws {
    let bytes = utf16(Self.text, bigEndian: bigEndian, mark: false)
    #expect(try parse(bytes, chunk: chunk, encoding: "utf-16").root.text == "Grüße, 世界 😀")
    let exact = bigEndian ? "UTF-16BE" : "utf-16le"
    #expect(try parse(bytes, chunk: chunk, encoding: exact).root.text == "Grüße, 世界 😀")
  }

  struct Declared: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var text: String
    var testDescription: String { name }
  }

  @Test(
    arguments: [
      Declared(name: "ISO-8859-1", bytes: [0x47, 0x72, 0xFC, 0xDF, 0x65], text: "Grüße"),
      Declared(name: "iso-8859-1", bytes: [0x93, 0x80, 0x94, 0x81], text: "“€”\u{81}"),
      Declared(name: "us-ascii", bytes: [0xE9], text: "é"),
      Declared(name: "gb2312", bytes: [0xE9, 0x46, 0x80], text: "镕€"),
      Declared(name: "shift_jis", bytes: [0x87, 0x40, 0x83, 0x5C], text: "①ソ"),
      Declared(name: "ks_c_5601-1987", bytes: [0x8C, 0x63], text: "똠"),
      Declared(name: "iso-8859-9", bytes: [0x80, 0xFE], text: "€ş"),
      Declared(name: "iso-2022-jp", bytes: [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], text: "日"),
      Declared(name: "iso-8859-15", bytes: [0xA4], text: "€"),
      Declared(name: "windows-1252", bytes: [0x93, 0x80, 0x94], text: "“€”"),
      Declared(name: "GBK", bytes: [0xC4, 0xE3, 0xBA, 0xC3], text: "你好"),
      Declared(name: "Shift_JIS", bytes: [0x93, 0xFA, 0x96, 0x7B], text: "日本"),
      Declared(name: "KOI8-R", bytes: [0xD0, 0xD2, 0xC9], text: "при"),
      Declared(name: "US-ASCII", bytes: Array("abc".utf8), text: "abc"),
      Declared(name: "UTF-8", bytes: Array("世界".utf8), text: "世界"),
      Declared(name: "UTF-7", bytes: Array("+APw-".utf8), text: "ü"),
    ],
    [1, 7, 4096]
  )
  func readsADeclaredOrTransportedCharset(_ declared: Declared, chunk: Int) throws {
    let filler = String(repeating: "<b>x</b>", count: 1000)
    let end = Array("</c>\(filler)</a>".utf8)
    let head = Array("<?xml version=\"1.0\" encoding=\"\(declared.name)\"?><a><c>".utf8)
    let document = try parse(head + declared.bytes + end, chunk: chunk)
    #expect(document.root.elements[0].text == declared.text)
    #expect(document.root.elements.count == 1001)

    let bare = Array("<a><c>".utf8) + declared.bytes + end
    let transported = try parse(bare, chunk: chunk, encoding: declared.name)
    #expect(transported.root.elements[0].text == declared.text)
    #expect(transported.root.elements.count == 1001)
  }

  @Test(arguments: [1, 4096])
  func theTransportWinsOverTheDeclaration(chunk: Int) throws {
    let latin = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>".utf8) + [0xFC] + Array("</a>".utf8)
    #expect(try parse(latin, chunk: chunk, encoding: "ISO-8859-1").root.text == "ü")
    let unicode = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>ü</a>"
    #expect(try parse(unicode, chunk: chunk).root.text == "Ã¼")
    #expect(try parse(unicode, chunk: chunk, encoding: "utf-8").root.text == "ü")
    #expect(try parse(unicode, chunk: chunk, encoding: "UTF8").root.text == "ü")
    let wrong = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>ü</a>"
    #expect(try parse(wrong, chunk: chunk, encoding: "utf-8").root.text == "ü")
  }

  @Test(arguments: ["UTF-16", "utf-16le", "UTF-32", "UTF-32BE"], [1, 4, 4096])
  func ignoresADeclarationThatContradictsItsOwnOctets(name: String, chunk: Int) throws {
    let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?><a>ü</a>"
    #expect(try parse(text, chunk: chunk).root.text == "ü")
  }

  @Test(arguments: [true, false], [1, 3, 4, 7, 4096])
  func declaredUTF32NeedsNoMark(bigEndian: Bool, chunk: Int) throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-32\"?><a>ü😀</a>"
    let bytes = text.unicodeScalars.flatMap { scalar in
      withUnsafeBytes(of: bigEndian ? scalar.value.bigEndian : scalar.value.littleEndian) { Array($0) }
    }
    #expect(try parse(bytes, chunk: chunk).root.text == "ü😀")
  }

  @Test(arguments: [1, 4096])
  func theByteOrderMarkWinsOverAll(chunk: Int) throws {
    let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>ü</a>"
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
    #expect(try parse(marked, chunk: chunk).root.text == "ü")
    #expect(try parse(marked, chunk: chunk, encoding: "windows-1252").root.text == "ü")
    for bigEndian in [true, false] {
      let bytes = utf16(text, bigEndian: bigEndian, mark: true)
      #expect(try parse(bytes, chunk: chunk, encoding: "utf-8").root.text == "ü")
    }
  }

  @Test func readsTheShortestDocumentsByteByByte() throws {
    #expect(try parse("<a/>", chunk: 1).root.name == "a")
    #expect(try parse([0xEF, 0xBB, 0xBF] + Array("<a/>".utf8), chunk: 1).root.name == "a")
    #expect(try parse(utf16("<a/>", bigEndian: true, mark: true), chunk: 1).root.name == "a")
    #expect(try parse(utf16("<a/>", bigEndian: false, mark: true), chunk: 1).root.name == "a")
  }

  @Test func unknownEncodingsAreNamed() {
    let declared = "<?xml version=\"1.0\" encoding=\"x-unheard-of\"?><a/>"
    for chunk in [1, 4096] {
      #expect(parseError(declared, chunk: chunk)?.reason == .unsupportedEncoding(name: "x-unheard-of"))
      for name in ["nope", "", "UTF-8//TRANSLIT", "utf-8\0", "../../etc", "ü"] {
        let error = parseError("<a/>", chunk: chunk, encoding: name)
        #expect(error?.reason == .unsupportedEncoding(name: name))
      }
    }
  }

  @Test(arguments: [1, 4096])
  func refusesBytesThatAreInvalidInTheEncoding(chunk: Int) {
    let open = Array("<a>".utf8), close = Array("</a>".utf8)
    let invalid: [(bytes: [UInt8], encoding: String?)] = [
      (open + [0xFC] + close, nil),
      (open + [0xC0, 0xAF] + close, nil),
      (open + [0xED, 0xA0, 0x80] + close, "utf-8"),
      (open + [0xE9] + close, "utf-8"),
      (open + [0xD2] + close, "windows-1253"),
      (open + [0x81], "Shift_JIS"),
      (open + [0xFF, 0xFF] + close, "GBK"),
      (utf16("<a>x</a>", bigEndian: true, mark: true).replacing([0, 0x78], with: [0xD8, 0]), nil),
      (utf16("<a>xy</a>", bigEndian: false, mark: true).replacing([0x78, 0], with: [0, 0xDC]), nil),
      (utf16("<a>xy</a>", bigEndian: false, mark: true).dropLast(1), nil),
    ]
    for (bytes, encoding) in invalid {
      let error = parseError(bytes, chunk: chunk, encoding: encoding)
      guard case .malformed = error?.reason else {
        Issue.record("\(bytes) \(encoding ?? "-"): \(String(describing: error))")
        continue
      }
    }
  }

  /// Characters in more bytes than they need, which can hide what filters look for.
  @Test(
    arguments: [[0xC1, 0xA8], [0xC0, 0xA8], [0xE0, 0x81, 0xA8], [0xF0, 0x80, 0x81, 0xA8]] as [[UInt8]],
    [("<a>", "</a>"), ("<a><![CDATA[x", "y]]></a>"), ("<a b=\"", "\"/>"), ("<!--", "--><a/>")]
  )
  func overlongFormsAreRefusedEverywhere(form: [UInt8], around: (String, String)) {
    let bytes = Array(around.0.utf8) + form + Array(around.1.utf8)
    for chunk in [1, 2, 4096] {
      guard case .malformed = parseError(bytes, chunk: chunk)?.reason else {
        Issue.record("another error")
        continue
      }
      let parser = XML.EventParser(LineHandler())
      #expect(throws: XML.ParseError.self) {
        for start in stride(from: 0, to: bytes.count, by: chunk) {
          try bytes[start..<min(start + chunk, bytes.count)].withUnsafeBytes { try parser.append($0) }
        }
        _ = try parser.finish()
      }
    }
  }
}
