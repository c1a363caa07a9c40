import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

/// How many names there may be, whatever is made of the document.
@Suite struct DistinctNamesTests {
  private static let reason = XML.ParseError.Reason.limit(name: "distinctNames", value: 10_000)

  private static func document(_ element: (Int) -> String) -> String {
    "<a>\((0..<15_000).map(element).joined())</a>"
  }

  private static let documents = [
    document { "<n\($0)/>" }, document { "<b n\($0)=''/>" }, document { "<?n\($0)?>" },
    document { "<b xmlns='urn:\($0)'/>" }, document { "<b xmlns:p\($0)='urn:p'/>" },
  ]

  @Test(arguments: documents, [1_000, .max])
  func theTreeParserLimitsDistinctNames(text: String, chunk: Int) throws {
    #expect(parseError(text, chunk: chunk)?.reason == Self.reason)
    #expect(try parse(text, chunk: chunk, limits: limits(\.distinctNames, 15_010)).root.name == "a")
  }

  @Test(arguments: documents)
  func theEventParserLimitsDistinctNames(text: String) throws {
    let parser = XML.EventParser(Silent())
    let error = #expect(throws: XML.ParseError.self) {
      try Array(text.utf8).withUnsafeBytes { try parser.append($0) }
    }
    #expect(error?.reason == Self.reason)
  }

  @Test(arguments: documents)
  func recordsLimitDistinctNamesOutsideTheirPath(text: String) async throws {
    let response = Response(.ok, body: .chunks(of: Array(text.utf8), size: 4_096))
    let records = try await XMLRecordsResponseSerializer("a/z") { $0.element }.serialize(response)
    let error = await #expect(throws: ExchangeError.self) { for try await _ in records {} }
    #expect((error?.underlying as? XML.ParseError)?.reason == Self.reason)
  }

  @Test(arguments: [1_000, .max])
  func theHTMLParserLimitsDistinctNames(chunk: Int) throws {
    for text in [Self.document { "<n\($0)></n\($0)>" }, Self.document { "<p n\($0)=1>" }] {
      #expect(htmlError(text, chunk: chunk)?.reason == Self.reason)
      #expect(try parseHTML(text, chunk: chunk, limits: limits(\.distinctNames, 15_010)).root.name == "html")
    }
  }

  @Test func repeatedNamesAndTextsCountOnce() throws {
    let text = Self.document { "<b c='\($0)'>\($0)<!--\($0)--><?p \($0)?></b>" }
    #expect(try parse(text, limits: limits(\.distinctNames, 10)).root.elements.count == 15_000)
  }

  private struct Silent: XML.EventHandler {}
}
