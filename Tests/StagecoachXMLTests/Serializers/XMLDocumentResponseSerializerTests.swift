import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

@Suite struct XMLDocumentResponseSerializerTests {
  private static func read(
    _ body: Bytes,
    type: String? = "application/xml",
    bodyLimit: Int = RequestOptions.bodyLimit.defaultValue
  ) async throws -> XML.Document {
    let client = try Client(
      over: HandlerTransport { _ in
        Response(.ok, fields: type.map { [.contentType: $0] } ?? [:], body: .bytes(body))
      }
    )
    let request = Request.get("http://h/").with(\.bodyLimit, bodyLimit)
    return try await client.value(for: request, as: .xmlDocument)
  }

  @Test(arguments: [
    "application/xml", "text/xml; charset=utf-8", "application/atom+xml", "image/svg+xml", "model/x3d+xml",
  ])
  func readsWhatIsDeclaredAsXML(type: String) async throws {
    #expect(try await Self.read("<a>\u{E4}</a>", type: type).root.text == "\u{E4}")
  }

  @Test(arguments: ["text/html", "application/json", nil])
  func anotherTypeIsRefused(type: String?) async throws {
    let error = await #expect(throws: ExchangeError.self) { _ = try await Self.read("<a/>", type: type) }
    #expect(error?.kind == .mediaType)
  }

  @Test func theRegisteredNamesAreAskedFor() {
    #expect(Acceptance.xml.acceptField == "application/xml, text/xml")
  }

  @Test(arguments: ["garbage", "", "<a>", #"{"a":1}"#])
  func aBodyThatIsNotXMLIsAnError(body: String) async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await XMLDocumentResponseSerializer().serialize(Response(.ok, body: .bytes(Bytes(body))))
    }
    #expect(error.kind == .serialization)
    #expect(error.message.hasPrefix("the body is not valid XML: "))
    #expect(error.underlying is XML.ParseError)
    #expect(error.bodyPrefix == Bytes(body))
  }

  @Test func theCharsetOfTheResponseDecides() async throws {
    let body = Bytes(Array("<a>".utf8) + [0xE4] + Array("</a>".utf8))
    #expect(try await Self.read(body, type: "text/xml; charset=iso-8859-1").root.text == "\u{E4}")
    await #expect(throws: ExchangeError.self) { _ = try await Self.read(body) }
  }

  @Test func theBodyLimitHolds() async throws {
    #expect(try await Self.read("<a>12</a>", bodyLimit: 9).root.text == "12")
    let error = await #expect(throws: ExchangeError.self) {
      _ = try await Self.read("<a>123</a>", bodyLimit: 9)
    }
    #expect(error?.kind == .limit(.body))
    #expect(error?.limit?.option == "bodyLimit")
  }
}
