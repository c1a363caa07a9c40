import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

@Suite struct XMLEventsResponseSerializerTests {
  private func response(_ text: String, chunk: Int, type: String = "application/xml") throws -> Response {
    var response = Response(.ok, body: .chunks(of: Array(text.utf8), size: chunk))
    response.head.headerFields[.contentType] = type
    return response
  }

  @Test(arguments: [1, 7, 64, 4096])
  func eventsOneByOneAndInBatches(chunk: Int) async throws {
    let serializer = XMLEventsResponseSerializer()
    var found: [XML.Event] = []
    for try await event in try await serializer.serialize(response(EventTests.document, chunk: chunk)) {
      found.append(event)
    }
    #expect(lines(of: found) == EventTests.expected)
    var batched: [String] = []
    let response = try response(EventTests.document, chunk: chunk)
    for try await batch in try await serializer.serialize(response).batches {
      #expect(!batch.isEmpty)
      batched += lines(of: batch)
    }
    #expect(batched == EventTests.expected)
  }

  @Test func eventsComeBeforeTheErrorBehindThem() async throws {
    let text = "<a>\n<b/>\n</c>"
    var found: [XML.Event] = []
    let error = await #expect(throws: ExchangeError.self) {
      for try await event in try await XMLEventsResponseSerializer().serialize(response(text, chunk: 4096)) {
        found.append(event)
      }
    }
    #expect(error?.kind == .serialization)
    let cause = error?.underlying as? XML.ParseError
    #expect(cause?.line == 3)
    #expect(lines(of: found).contains("</b @2"))
  }

  @Test func textBeforeATruncatedEndIsGiven() async throws {
    var found: [XML.Event] = []
    await #expect(throws: ExchangeError.self) {
      for try await event in try await XMLEventsResponseSerializer().serialize(response("<a>hello", chunk: 3))
      {
        found.append(event)
      }
    }
    #expect(lines(of: found).suffix(2) == ["<a @1", "text hello"])
  }

  @Test func aTagBeyondALimitIsNotGivenInPart() async throws {
    var limits = XML.Limits()
    limits.distinctNames = 2
    var found: [XML.Event] = []
    await #expect(throws: ExchangeError.self) {
      let serializer = XMLEventsResponseSerializer(limits: limits)
      let response = try response("<r><r a='1' b='2' c='3'/></r>", chunk: 4096)
      for try await event in try await serializer.serialize(response) { found.append(event) }
    }
    #expect(lines(of: found).last == "<r @1")
  }

  @Test func theCharsetOfTheTransportWins() async throws {
    let bytes = Array("<?xml version='1.0' encoding='UTF-8'?><a>".utf8) + [0xE4] + Array("</a>".utf8)
    var response = Response(.ok, body: .chunks(of: bytes, size: 9))
    response.head.headerFields[.contentType] = "text/xml; charset=iso-8859-1"
    let handler = try await XMLHandlerResponseSerializer(LineHandler()).serialize(response)
    #expect(handler.lines.contains("text ä"))
  }

  @Test func aHandlerIsHandedBack() async throws {
    let first = try await XMLHandlerResponseSerializer(LineHandler())
      .serialize(response("<a>x</a>", chunk: 2))
    #expect(first.lines.suffix(4) == ["<a @1", "text x", "</a", "end"])
    let error = await #expect(throws: ExchangeError.self) {
      try await XMLHandlerResponseSerializer(LineHandler()).serialize(response("<a>x</b>", chunk: 2))
    }
    #expect(error?.kind == .serialization)
  }
}
