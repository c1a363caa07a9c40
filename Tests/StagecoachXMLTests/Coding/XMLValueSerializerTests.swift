import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

@Suite struct XMLValueSerializerTests {
  struct Order: Codable, Equatable, Sendable {
    @XMLAttribute var id: Int
    var item: [String]
  }

  /// Answers with what it was sent.
  private static func client() throws -> Client {
    try Client(
      over: HandlerTransport { request in
        Response(
          .ok,
          fields: [.contentType: request.fields[.contentType] ?? ""],
          body: .bytes(request.body.bytes ?? "")
        )
      }
    )
  }

  private static func read(
    _ body: Bytes,
    type: String = "application/xml",
    bodyLimit: Int = RequestOptions.bodyLimit.defaultValue
  ) async throws -> Order {
    let client = try Client(
      over: HandlerTransport { _ in Response(.ok, fields: [.contentType: type], body: .bytes(body)) }
    )
    return try await client.value(
      for: Request.get("http://h/").with(\.bodyLimit, bodyLimit),
      as: .xml(Order.self)
    )
  }

  @Test func aValueIsDecodedAsItWasSent() async throws {
    let order = Order(id: 1, item: ["a", "\u{E4}<"])
    let answer = try await Self.client().post("http://h/", .xml(order), as: .xml(Order.self))
    #expect(answer == order)
    var request = Request.post("http://h/")
    try RequestContent.xml(order, root: "{urn:o}o").apply(to: &request)
    let document = try parse(String(decoding: request.body.bytes ?? ""))
    #expect(document.root.namespaceURI == "urn:o" && document.root.attribute("id") == "1")
    #expect(document.root.elements.map(\.text) == order.item)
  }

  @Test func theRequestDeclaresTheTypeAndCharset() throws {
    var request = Request.post("http://h/")
    try RequestContent.xml(Order(id: 1, item: []), as: .textXML).apply(to: &request)
    #expect(request.fields[.contentType] == "text/xml;charset=UTF-8")
  }

  @Test func aBodyThatDoesNotDecodeIsASerializationError() async throws {
    let body = "<order id='x'/>"
    let error = try await #require(throws: ExchangeError.self) { _ = try await Self.read(Bytes(body)) }
    #expect(error.kind == .serialization)
    #expect(
      error.message == "the body cannot be decoded as Order: $.id: “x” is not a Int, in line 1 at /order/@id"
    )
    #expect(error.underlying is DecodingError)
    #expect(error.bodyPrefix == Bytes(body))
  }

  @Test func aBodyThatIsNotXMLIsASerializationError() async throws {
    for body in ["", "<order", "{}"] {
      let error = try await #require(throws: ExchangeError.self) { _ = try await Self.read(Bytes(body)) }
      #expect(error.kind == .serialization && error.underlying is XML.ParseError)
    }
    let error = await #expect(throws: ExchangeError.self) {
      _ = try await Self.read("{}", type: "application/json")
    }
    #expect(error?.kind == .mediaType)
  }

  @Test func theCharsetOfTheResponseDecides() async throws {
    let body = Bytes(Array("<order id='1'><item>".utf8) + [0xE4] + Array("</item></order>".utf8))
    #expect(try await Self.read(body, type: "text/xml; charset=iso-8859-1").item == ["\u{E4}"])
  }

  @Test func theBodyLimitHolds() async throws {
    let error = await #expect(throws: ExchangeError.self) {
      _ = try await Self.read("<order id='1'/>", bodyLimit: 14)
    }
    #expect(error?.kind == .limit(.body))
    #expect(try await Self.read("<order id='1'/>", bodyLimit: 15).id == 1)
  }

  @Test func worksAsAMemberOfTheCompoundSerializer() async throws {
    let serializer = CompoundResponseSerializer<Order> {
      JSONResponseSerializer(Order.self)
      XMLValueResponseSerializer(Order.self)
    }
    for (type, body) in [
      ("application/json", #"{"id":1,"item":["a"]}"#), ("application/x+xml", "<o id='1'><item>a</item></o>"),
    ] {
      let response = Response(.ok, fields: [.contentType: type], body: .bytes(Bytes(body)))
      #expect(try await serializer.serialize(response) == Order(id: 1, item: ["a"]))
    }
  }
}
