import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

@Suite struct XMLElementRequestSerializerTests {
  private static func apply(_ content: RequestContent, to request: Request = .post("a")) throws -> Request {
    var request = request
    try content.apply(to: &request)
    return request
  }

  private let order = XML.Element("order") { XML.Element("seats", text: "\u{E4}4") }

  @Test func writesTheBodyAndDeclaresIt() throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<order><seats>\u{E4}4</seats></order>\n"
    for content in [.xml(order), .xml(try XML.Document(element: order))] as [RequestContent] {
      let request = try Self.apply(content)
      #expect(request.body.bytes == Bytes(text))
      #expect(request.body.isReplayable)
      #expect(request.fields[values: .contentType] == ["application/xml;charset=UTF-8"])
    }
  }

  @Test func declaresTheChosenTypeAndCharset() throws {
    let latin = XML.WritingOptions(charset: .isoLatin1)
    let request = try Self.apply(.xml(order, as: .textXML, options: latin))
    #expect(request.fields[.contentType] == "text/xml;charset=ISO-8859-1")
    let bytes = Array("<order><seats>".utf8) + [0xE4, 0x34] + Array("</seats></order>".utf8)
    #expect(request.body.bytes == Bytes(bytes))
    let atom = try #require(MediaType("application/atom+xml;type=entry"))
    let document = try Self.apply(.xml(try XML.Document(element: order), as: atom))
    #expect(document.fields[.contentType] == "application/atom+xml;type=entry;charset=UTF-8")
    let wide = try Self.apply(.xml(order, options: XML.WritingOptions(charset: .utf16)))
    #expect(wide.fields[.contentType] == "application/xml;charset=UTF-16")
    #expect(wide.body.bytes?.withUnsafeBytes { Array($0.prefix(4)) } == [0xFE, 0xFF, 0, 0x3C])
  }

  @Test func theCallersTypeStays() throws {
    var request = Request.post("a")
    request.fields[.contentType] = "application/soap+xml"
    for content in [.xml(order), .xml(try XML.Document(element: order))] as [RequestContent] {
      #expect(try Self.apply(content, to: request).fields[values: .contentType] == ["application/soap+xml"])
    }
  }

  @Test func anElementThatCannotBeWrittenIsAnError() throws {
    let error = #expect(throws: ExchangeError.self) { try Self.apply(.xml(XML.Element("a b"))) }
    #expect(error?.kind == .requestSerialization)
    #expect(error?.stage == "XMLElementRequestSerializer")
    #expect((error?.underlying as? XML.ElementError)?.reason == .invalidName("a b"))
    let ascii = XML.WritingOptions(charset: .usASCII)
    let document = try XML.Document(element: XML.Element("\u{E4}"))
    let charset = #expect(throws: ExchangeError.self) { try Self.apply(.xml(document, options: ascii)) }
    #expect(charset?.kind == .requestSerialization)
    #expect(charset?.underlying is CharsetError)
  }

  @Test(arguments: [Charset.utf8, .utf16, .utf16LE, .isoLatin1, .usASCII])
  func theServerReadsTheSame(charset: Charset) async throws {
    let client = try Client(
      over: HandlerTransport { request in
        Response(.ok, fields: request.fields, body: .bytes(request.body.bytes ?? Bytes()))
      }
    )
    let content = RequestContent.xml(order, options: XML.WritingOptions(charset: charset))
    let echoed = try await client.value(for: .post("http://h/"), sending: content, as: .xmlDocument)
    #expect(XML.Element(echoed) == order)
  }
}
