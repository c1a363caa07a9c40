import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

@Suite struct HTMLDocumentResponseSerializerTests {
  private static func read<Value: Sendable>(
    _ body: Bytes,
    type: String? = "text/html",
    as serializer: some ResponseSerializer<Value>,
    bodyLimit: Int = RequestOptions.bodyLimit.defaultValue
  ) async throws -> Value {
    let client = try Client(
      over: HandlerTransport { _ in
        Response(.ok, fields: type.map { [.contentType: $0] } ?? [:], body: .bytes(body))
      }
    )
    let request = Request.get("http://h/").with(\.bodyLimit, bodyLimit)
    return try await client.value(for: request, as: serializer)
  }

  @Test(arguments: [
    "text/html", "text/html; charset=utf-8", "application/xhtml+xml", "TEXT/HTML;CHARSET=\"UTF-8\"",
  ])
  func readsWhatIsDeclaredAsHTML(type: String) async throws {
    let page = try await Self.read(
      "<html xmlns='http://www.w3.org/1999/xhtml'><p>ä<br/></p>",
      type: type,
      as: .htmlDocument
    )
    #expect(try page.xpath("//p").string == "ä")
  }

  @Test(arguments: ["application/xml", "text/plain", "application/json", nil])
  func anotherTypeIsRefused(type: String?) async throws {
    let error = await #expect(throws: ExchangeError.self) {
      _ = try await Self.read("<p>a", type: type, as: .htmlDocument)
    }
    #expect(error?.kind == .mediaType)
  }

  @Test func acceptAsksForHTMLAndXHTML() {
    #expect(Acceptance.html.acceptField == "text/html, application/xhtml+xml")
    #expect(HTMLDocumentResponseSerializer().name == "HTMLDocumentResponseSerializer")
  }

  @Test func theCharsetOfTheResponseDecides() async throws {
    let body = Bytes(Array("<meta charset=koi8-r><p>".utf8) + [0xE4, 0x80])
    let type = "text/html; charset=iso-8859-1"
    #expect(try await Self.read(body, type: type, as: .htmlDocument).root.text == "ä€")
    #expect(try await Self.read(body, as: .htmlDocument).root.text == "Д─")
    let undeclared = Bytes(Array("<p>".utf8) + [0xD0])
    let serializer = HTMLDocumentResponseSerializer(fallback: Charset("koi8-r"))
    #expect(try await Self.read(undeclared, as: serializer).root.text == "п")
  }

  @Test func errorsAreWrapped() async throws {
    let empty = try await #require(throws: ExchangeError.self) {
      _ = try await Self.read(" ", as: .htmlDocument)
    }
    #expect(empty.kind == .serialization)
    #expect(empty.message == "the body is not valid HTML: XML: the document is empty")
    #expect(empty.bodyPrefix == " ")
    var serializer = HTMLDocumentResponseSerializer()
    serializer.limits.depth = 2
    let deep = try await #require(throws: ExchangeError.self) {
      _ = try await Self.read("<p>a", as: serializer)
    }
    #expect(deep.kind == .limit(.structure))
    #expect(deep.limit?.option == "XML.Limits.depth")
    let long = await #expect(throws: ExchangeError.self) {
      _ = try await Self.read("<p>123", as: .htmlDocument, bodyLimit: 5)
    }
    #expect(long?.kind == .limit(.body))
  }

  @Test(arguments: [true, false])
  func theDeclaredTypeChoosesAmongCompoundMembers(pageFirst: Bool) async throws {
    let members: [any ResponseSerializer<XML.Document>] = [
      HTMLDocumentResponseSerializer(), XMLDocumentResponseSerializer(),
    ]
    let compound = CompoundResponseSerializer(
      members: pageFirst ? members : members.reversed(),
      sniffing: true
    )
    let page: Bytes = "<!DOCTYPE html><p>a<p>b"
    #expect(try await Self.read(page, type: "text/html", as: compound).root.name == "html")
    #expect(try await Self.read("<a/>", type: "application/atom+xml", as: compound).root.name == "a")
    // The member that names the type goes before the one for its suffix.
    #expect(try await Self.read("<p>x", type: "application/xhtml+xml", as: compound).root.name == "html")
    #expect(try await Self.read(page, type: nil, as: compound).root.name == "html")
  }
}
