import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

@Suite struct SchemaValidationTests {
  private static func client(
    _ status: HTTPResponse.Status = .ok,
    type: String = "application/xml",
    body: Response.Body
  ) throws -> Client {
    try Client(.standard(over: pipeline(status, type: type, body: body)))
  }

  /// The stage alone; a client adds others.
  private static func pipeline(
    _ status: HTTPResponse.Status,
    type: String,
    body: Response.Body
  ) throws -> Pipeline {
    let schema = try XML.Schema(purchaseOrderSchema)
    return Pipeline(
      over: HandlerTransport { _ in Response(status, fields: [.contentType: type], body: body) }
    ) {
      SchemaValidation(schema)
    }
  }

  private static let valid = purchaseOrder([item("872-AA")])
  private static let invalid = purchaseOrder([item("872-AA"), item("x"), item("y", quantity: "0")])

  @Test func aValidBodyPassesUnchanged() async throws {
    let fields: HTTPFields = [HTTPField.Name("X-Sum")!: "1"]
    let bytes = Array(Self.valid.utf8)
    let chunks = AsyncStream { continuation in
      for start in stride(from: 0, to: bytes.count, by: 100) {
        continuation.yield(Bytes(bytes[start..<min(bytes.count, start + 100)]))
      }
      continuation.finish()
    }
    let client = try Self.client(body: Response.Body(chunks, trailers: { fields }))
    let response = try await client.send(.get("http://h/"))
    #expect(try await response.body.collect(upTo: 1 << 20) == Bytes(bytes))
    #expect(response.body.trailers == fields)
  }

  @Test func theNextConsumerGetsADocument() async throws {
    let client = try Self.client(body: .bytes(Bytes(Self.valid)))
    let document = try await client.value(for: .get("http://h/"), as: .xmlDocument)
    #expect(document.root.name == "purchaseOrder")
  }

  @Test func aBrokenRuleIsAnErrorThatListsAll() async throws {
    let client = try Self.client(body: .bytes(Bytes(Self.invalid)))
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await client.send(.get("http://h/"))
    }
    #expect(error.kind == .validation)
    #expect(error.stage == "SchemaValidation")
    #expect(error.response?.status == .ok)
    #expect(!error.bodyPrefix.isEmpty)
    let report = try #require(error.underlying as? XML.ValidationReport)
    let paths = Set(report.violations.compactMap(\.path))
    #expect(
      paths == [
        "/purchaseOrder/items/item[2]/@partNum", "/purchaseOrder/items/item[3]/@partNum",
        "/purchaseOrder/items/item[3]/quantity",
      ]
    )
    for path in paths { #expect(error.description.contains(path)) }
    #expect(error.message == "the body does not match its schema in \(report.count) places")
  }

  @Test(arguments: [("image/svg+xml", true), ("model/x3d+xml", true), ("image/png", false)])
  func everyTypeBuiltOnXMLIsJudged(type: String, isJudged: Bool) async throws {
    let pipeline = try Self.pipeline(.ok, type: type, body: .bytes(Bytes(Self.invalid)))
    do {
      _ = try await pipeline.send(.get("http://h/"))
      #expect(!isJudged)
    } catch let error as ExchangeError {
      #expect(isJudged && error.kind == .validation)
    }
  }

  @Test func refusesABodyThatIsNotXML() async throws {
    let client = try Self.client(body: .bytes("<purchaseOrder>"))
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await client.send(.get("http://h/"))
    }
    #expect(error.kind == .validation)
    #expect(error.underlying is XML.ParseError)
  }

  @Test func refusesABodyBeyondTheLimits() async throws {
    let client = try Self.client(body: .bytes(Bytes(Self.valid)))
    let body = await #expect(throws: ExchangeError.self) {
      _ = try await client.send(Request.get("http://h/").with(\.bodyLimit, 100))
    }
    #expect(body?.kind == .limit(.body))
    let deep = try Self.client(body: .bytes(Bytes(String(repeating: "<a>", count: 300))))
    let structure = await #expect(throws: ExchangeError.self) { _ = try await deep.send(.get("http://h/")) }
    #expect(structure?.kind == .limit(.structure))
    #expect(structure?.limit?.option == "XML.Limits.depth")
  }

  @Test(arguments: [
    (HTTPResponse.Status.notFound, "application/xml"), (.ok, "text/html"), (.ok, "application/json"),
    (.partialContent, "application/xml"), (.noContent, "application/xml"),
  ])
  func otherResponsesPass(status: HTTPResponse.Status, type: String) async throws {
    let pipeline = try Self.pipeline(status, type: type, body: .bytes("no order"))
    let response = try await pipeline.send(.get("http://h/"))
    #expect(try await response.body.collect(upTo: 100) == "no order")
  }

  @Test func noContentPasses() async throws {
    let empty = AsyncStream<Bytes> { $0.finish() }
    let client = try Self.client(body: Response.Body(empty))
    #expect(try await client.send(.get("http://h/")).body.collect(upTo: 10).isEmpty)
  }

  @Test func theCharsetOfTheResponseDecides() async throws {
    let body = Bytes(Array("<comment>".utf8) + [0xE4] + Array("</comment>".utf8))
    let latin = try Self.client(type: "text/xml; charset=iso-8859-1", body: .bytes(body))
    #expect(try await latin.send(.get("http://h/")).body.collect(upTo: 100) == body)
    let unknown = try Self.client(body: .bytes(body))
    await #expect(throws: ExchangeError.self) { _ = try await unknown.send(.get("http://h/")) }
  }
}
