import Stagecoach
import StagecoachXML
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Events and records of what comes from no server.
@Suite struct BodySequenceTests {
  private static let list = "<l><i id='1'>a</i><i id='2'>b</i></l>"

  struct Item: Decodable, Equatable, Sendable { var id: Int }

  @Test(arguments: [1, 7, 4096])
  func readsEventsFromChunks(chunk: Int) async throws {
    let bytes = Array(EventTests.document.utf8)
    let chunks = AsyncStream { continuation in
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        continuation.yield(Bytes(bytes[start..<min(bytes.count, start + chunk)]))
      }
      continuation.finish()
    }
    var found: [XML.Event] = []
    for try await event in XML.Events(in: Response.Body(chunks)) { found.append(event) }
    #expect(lines(of: found) == EventTests.expected)
  }

  @Test func readsEventsFromMemory() async throws {
    #expect(try lines(of: XML.EventBatch(parsing: Bytes(EventTests.document))) == EventTests.expected)
    var batched: [String] = []
    for try await batch in XML.Events(in: .bytes(Bytes(EventTests.document))).batches {
      batched += lines(of: batch)
    }
    #expect(batched == EventTests.expected)
    #expect(throws: XML.ParseError.self) { try XML.EventBatch(parsing: "<a>") }
    #expect(throws: XML.ParseError.self) {
      try XML.EventBatch(parsing: "<a><b/></a>", limits: limits(\.nodes, 1))
    }
    let latin = Bytes(Array("<a>".utf8) + [0xE4] + Array("</a>".utf8))
    #expect(lines(of: try XML.EventBatch(parsing: latin, encoding: "iso-8859-1")).contains("text ä"))
  }

  @Test func readsRecordsFromAFile() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).xml")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(Self.list.utf8).write(to: file)
    func body() throws -> Response.Body {
      Response.Body(source: try Request.Body.file(file.path).makeSource())
    }
    var items: [Item] = []
    for try await item in XML.Records<Item>("l/i", in: try body()) { items.append(item) }
    #expect(items == [Item(id: 1), Item(id: 2)])
    var texts: [String] = []
    for try await text in XML.Records("l/i", in: try body(), make: { $0.element.text }) { texts.append(text) }
    #expect(texts == ["a", "b"])
    var names: [XML.Name] = []
    for try await record in XML.Records("l/*", in: try body()) { names.append(record.name) }
    #expect(names == ["i", "i"])
  }

  @Test func errorsDoNotMentionAResponse() async throws {
    let defect = try await #require(throws: ExchangeError.self) {
      for try await _ in XML.Events(in: .bytes("<a></b>")) {}
    }
    #expect(defect.kind == .serialization && defect.stage == "XML.Events" && defect.response == nil)
    #expect((defect.underlying as? XML.ParseError)?.line == 1)
    let value = try await #require(throws: ExchangeError.self) {
      for try await _ in XML.Records<Item>("l/i", in: .bytes("<l><i id='x'/></l>")) {}
    }
    #expect(value.kind == .serialization && value.stage == "XML.Records")
    #expect(value.underlying is DecodingError)
  }
}
