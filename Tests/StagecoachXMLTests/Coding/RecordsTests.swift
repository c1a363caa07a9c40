import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

@Suite struct RecordsTests {
  static let feed = """
    <?xml version="1.0"?>
    <f:feed xmlns:f="urn:f" xmlns="urn:d"><title>T</title>
    <entry id="1"><title>one &amp; only</title><entry>inner</entry></entry>
    <f:entry id="2"/><other><entry id="no"/></other>
    <entry id="3"><!-- c --><?p d?><![CDATA[<raw>]]></entry></f:feed>
    """

  private func records(
    _ path: XML.ElementPath,
    of text: String,
    chunk: Int = 16,
    limits: XML.Limits = XML.Limits()
  ) async throws -> [XML.Record] {
    let response = Response(.ok, body: .chunks(of: Array(text.utf8), size: chunk))
    var found: [XML.Record] = []
    for try await record in try await XMLRecordsResponseSerializer(path, limits: limits, make: { $0 })
      .serialize(response)
    { found.append(record) }
    return found
  }

  @Test(arguments: [1, 3, 16, 4096])
  func yieldsTheElementsAtAPath(chunk: Int) async throws {
    let found = try await records("feed/entry", of: Self.feed, chunk: chunk)
    #expect(found.map { $0.element["id"] } == ["1", "2", "3"])
    #expect(found.map(\.name) == ["{urn:d}entry", "{urn:f}entry", "{urn:d}entry"])
    #expect(found.map(\.line) == [3, 4, 5])
    let first = XML.Element(
      "{urn:d}entry",
      attributes: [XML.Element.Attribute("id", "1")],
      children: [
        .element(XML.Element("{urn:d}title", children: [.text("one & only")])),
        .element(XML.Element("{urn:d}entry", children: [.text("inner")])),
      ]
    )
    #expect(found.first?.element == first)
    #expect(
      found.last?.element.children == [
        .comment(" c "), .processingInstruction(target: "p", data: "d"), .cdata("<raw>"),
      ]
    )
  }

  @Test(
    arguments: [
      ("{urn:f}feed/{urn:d}entry", ["1", "3"]), ("/feed/{urn:f}entry", ["2"]), ("feed/other/entry", ["no"]),
      ("feed/entry/entry", [nil]), ("*/*/entry", [nil, "no"]), ("{}feed/entry", []), ("entry", []),
      ("feed/*", [nil, "1", "2", nil, "3"]), ("feed", [nil]),
    ] as [(String, [String?])]
  )
  func aPathSelectsItsElements(text: String, ids: [String?]) async throws {
    let path = try #require(XML.ElementPath(text))
    #expect(try await records(path, of: Self.feed).map { $0.element["id"] } == ids)
  }

  @Test(arguments: ["", "/", "a//b", "a/", "{urn", "a/{x}", "a}b", "{a}b{c}"])
  func refusesAMalformedPath(text: String) {
    #expect(XML.ElementPath(text) == nil)
  }

  @Test func aPathIsWrittenAsItIsRead() {
    for text in ["a/b", "{urn:x}a/{}b/*", "*"] {
      #expect(XML.ElementPath(text)?.description == text)
    }
  }

  @Test func limitsApplyToEachElement() async throws {
    let item = "<i>\(String(repeating: "<v>x</v>", count: 10))</i>"
    let text = "<l>\(String(repeating: item, count: 50))</l>"
    var small = XML.Limits()
    small.nodes = 30
    small.textSize = 40
    #expect(try await records("l/i", of: text, limits: small).count == 50)
    small.nodes = 20
    let error = await #expect(throws: ExchangeError.self) {
      try await records("l/i", of: text, limits: small)
    }
    #expect(error?.kind == .limit(.structure))
    #expect((error?.underlying as? XML.ParseError)?.reason == .limit(name: "nodes", value: 20))
  }

  @Test(arguments: [1, 4096])
  func elementsBeforeADefectAreGiven(chunk: Int) async throws {
    let response = Response(.ok, body: .chunks(of: Array("<l><i>1</i><i>2</i></oops>".utf8), size: chunk))
    var iterator = try await XMLRecordsResponseSerializer("l/i") { $0.element }.serialize(response)
      .makeAsyncIterator()
    #expect(try await iterator.next()?.children == [.text("1")])
    #expect(try await iterator.next()?.children == [.text("2")])
    let error = await #expect(throws: ExchangeError.self) { try await iterator.next() }
    #expect(error?.kind == .serialization)
    #expect(error?.underlying is XML.ParseError)
    // It stays at its end.
    #expect(try await iterator.next() == nil)
  }

  @Test func aBodyThatEndsEarlyIsAnError() async throws {
    await #expect(throws: ExchangeError.self) { try await records("l/i", of: "<l><i>1</i>") }
  }

  /// A new name with each element costs no copy of all names, neither here nor in a decoder.
  @Test(.timeLimit(.minutes(1)))
  func readsRecordsWithThousandsOfNames() async throws {
    let text = "<l>\((0..<9_000).map { "<i><n\($0)>1</n\($0)></i>" }.joined())</l>"
    #expect(try await records("l/i", of: text, chunk: 65_536).count == 9_000)
    struct Item: Decodable { var n: Int? }
    let response = Response(.ok, body: .chunks(of: Array(text.utf8), size: 65_536))
    var count = 0
    for try await item in try await XMLRecordsResponseSerializer<Item>("l/i", decoder: XMLDecoder())
      .serialize(response)
    {
      #expect(item.n == nil)
      count += 1
    }
    #expect(count == 9_000)
  }

  @Test func leavingTheLoopCancelsTheTransfer() async throws {
    let source = EndlessList()
    let response = Response(.ok, body: Response.Body(source: source))
    var count = 0
    for try await _ in try await XMLRecordsResponseSerializer("l/i", make: { $0 }).serialize(response) {
      count += 1
      if count == 100 { break }
    }
    #expect(source.isCancelled)
    // No more was read than the reader asked for, but for the chunk at hand.
    #expect(source.chunks <= 52)
  }
}
