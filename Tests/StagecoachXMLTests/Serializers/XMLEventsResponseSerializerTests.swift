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
  func yieldsEventsOneByOneAndInBatches(chunk: Int) async throws {
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

  // MARK: - The end of the transfer

  @Test func leavingTheLoopOverEventsCancelsTheTransfer() async throws {
    let source = EndlessList()
    let response = Response(.ok, body: Response.Body(source: source))
    var count = 0
    for try await _ in try await XMLEventsResponseSerializer().serialize(response) {
      count += 1
      if count == 100 { break }
    }
    #expect(source.isCancelled)
    // Four events with each chunk.
    #expect(source.chunks <= 27)
  }

  @Test func leavingTheLoopOverBatchesCancelsTheTransfer() async throws {
    let source = EndlessList()
    let response = Response(.ok, body: Response.Body(source: source))
    var count = 0
    for try await _ in try await XMLEventsResponseSerializer().serialize(response).batches {
      count += 1
      if count == 50 { break }
    }
    #expect(source.isCancelled)
    #expect(source.chunks <= 52)
  }

  private struct Enough: Error {}

  private struct Impatient: XML.EventHandler {
    var count = 0
    mutating func startElement(_ tag: borrowing XML.RawStartTag) throws {
      count += 1
      if count == 100 { throw Enough() }
    }
  }

  @Test func aHandlerThatThrowsCancelsTheTransfer() async throws {
    let source = EndlessList()
    let response = Response(.ok, body: Response.Body(source: source))
    await #expect(throws: Enough.self) {
      try await XMLHandlerResponseSerializer(Impatient()).serialize(response)
    }
    #expect(source.isCancelled)
    #expect(source.chunks <= 52)
  }

  // MARK: - In a compound serializer

  private enum Answer: Sendable {
    case events(XML.Events)
    case records(XML.Records<XML.Record>)
    case handler(LineHandler)
  }

  private static let compound = CompoundResponseSerializer<Answer> {
    XMLEventsResponseSerializer(accepting: Acceptance(mediaTypes: [.textXML])).map { Answer.events($0) }
    XMLRecordsResponseSerializer("l/i", accepting: Acceptance(mediaTypes: [.xml])) { $0 }
      .map { Answer.records($0) }
    XMLHandlerResponseSerializer(LineHandler(), accepting: Acceptance(mediaTypes: [.anyXMLSuffix]))
      .map { Answer.handler($0) }
  }

  @Test func eachIsAMemberOfTheCompoundSerializer() async throws {
    let text = "<l><i>1</i><i>2</i></l>"
    func answer(_ type: String) async throws -> Answer {
      try await Self.compound.serialize(response(text, chunk: 5, type: type))
    }
    var found: [[String]] = []
    for type in ["text/xml", "application/xml", "application/atom+xml"] {
      switch try await answer(type) {
      case .events(let events):
        var all: [XML.Event] = []
        for try await event in events { all.append(event) }
        found.append(lines(of: all))
      case .records(let records):
        var texts: [String] = []
        for try await record in records { texts.append(record.element.text) }
        found.append(texts)
      case .handler(let handler): found.append(handler.lines)
      }
    }
    try #require(found.count == 3)
    #expect(found[0].filter { $0.hasPrefix("text") } == ["text 1", "text 2"])
    #expect(found[1] == ["1", "2"])
    #expect(found[2].filter { $0.hasPrefix("text") } == ["text 1", "text 2"])
    #expect(Self.compound.accepts.acceptField == "text/xml, application/xml, application/*+xml")
  }

  @Test(arguments: ["text/xml", "application/xml"])
  func aCompoundSerializerDoesNotWaitForTheEnd(type: String) async throws {
    let source = EndlessList()
    let response = Response(.ok, fields: [.contentType: type], body: Response.Body(source: source))
    switch try await Self.compound.serialize(response) {
    case .events(let events): for try await event in events { if case .endElement = event { break } }
    case .records(let records): for try await _ in records { break }
    case .handler: Issue.record("another member")
    }
    #expect(source.isCancelled)
    #expect(source.chunks <= 4)
  }
}
