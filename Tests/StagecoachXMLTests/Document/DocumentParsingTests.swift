import Stagecoach
import StagecoachXML
import Testing

@Suite struct DocumentParsingTests {
  @Test func aDocumentIsParsedAsAWhole() throws {
    let document = try XML.Document(parsing: "<a><b>Grüße</b></a>" as Bytes)
    #expect(try document.xpath("string(//b)").string == "Grüße")
    let declared = #"<?xml version="1.0" encoding="ISO-8859-1"?><a>Grüße</a>"#
    #expect(try XML.Document(parsing: declared).root.text == "Grüße")
    let latin = Bytes([0x3C, 0x61, 0x3E, 0xFC, 0x3C, 0x2F, 0x61, 0x3E])
    #expect(try XML.Document(parsing: latin, encoding: "ISO-8859-1").root.text == "ü")
    #expect(throws: XML.ParseError.self) { try XML.Document(parsing: "<a>" as String) }
    #expect(throws: XML.ParseError.self) {
      try XML.Document(parsing: "<a><b/></a>" as String, limits: limits(\.depth, 1))
    }
  }

  @Test(arguments: [
    "<a/>", "<?xml version='1.0'?><a/>", "<?xml version='1.0' encoding='UTF-8'?><a/>",
    "<?xml version='1.0' encoding='iso-8859-1' standalone='yes'?><a/>",
    "<?xml version='1.0' standalone='no'?><a/>", "<?xml version='1.1'?><a/>",
  ])
  func theDocumentHasTheSameDeclarationAsTheEvents(text: String) throws {
    for (bytes, encoding) in [
      (Array(text.utf8), nil), (Array(text.utf8), "utf-8"), (Array("\u{FEFF}\(text)".utf8), nil),
    ] {
      let batch = try XML.EventBatch(parsing: Bytes(bytes), encoding: encoding)
      guard case .startDocument(let expected)? = batch.first(where: { _ in true }) else {
        Issue.record("no start")
        return
      }
      // A declared encoding does not count where the transport or a mark tells it.
      let counts = encoding == nil && bytes.first == UInt8(ascii: "<")
      let name = text.contains("UTF-8") ? "UTF-8" : text.contains("iso") ? "iso-8859-1" : nil
      #expect(expected.encoding == (counts ? name : nil))
      #expect(try XML.Document(parsing: Bytes(bytes), encoding: encoding).declaration == expected)
    }
    #expect(try XML.Document(parsingHTML: text).declaration == XML.Declaration())
  }

  @Test func aPageIsParsedAsAWhole() throws {
    let page = try XML.Document(parsingHTML: "<p>Grüße<br>und" as String)
    #expect(try page.xpath("//p").nodes.map(\.text) == ["Grüßeund"])
    let latin = Bytes([0x3C, 0x70, 0x3E, 0xFC])
    #expect(try XML.Document(parsingHTML: latin, encoding: "ISO-8859-1").xpath("string(//p)").string == "ü")
  }

  @Test func parsersAcceptBytesAsChunks() throws {
    let parser = XML.DocumentParser()
    for chunk in ["<a>", "x</a>"] as [Bytes] { try parser.append(chunk) }
    #expect(try parser.finish().root.text == "x")
    let html = XML.HTMLParser(encoding: "utf-8")
    for chunk in ["<p>", "x"] as [Bytes] { try html.append(chunk) }
    #expect(try html.finish().xpath("string(//p)").string == "x")
  }
}
