import Foundation
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// The format of a file is that of its content.
@Suite struct InterchangeFormatTests {
  private func exchanges(_ text: String, _ file: String) async throws -> [Scenario.Exchange] {
    try await InterchangeFormat.scenario(in: Array(text.utf8), of: file).scenario.exchanges
  }

  @Test func theContentDecidesTheFormat() async throws {
    let har = #" {"log": {"entries": [{"request": {"method": "GET", "url": "http://a.test/"}}]}}"#
    #expect(try await exchanges("\u{feff}" + har, "x.http").count == 1)
    #expect(try await exchanges(#"{"request": {"url": "/"}, "response": {}}"#, "x.har").count == 1)
    #expect(try await exchanges("HTTP/1.1 204 No Content\r\n\r\n", "x.json").count == 1)
    #expect(try await exchanges("GET http://a.test/\n\n###\nHTTP/1.1 204 No Content\n", "x.har").count == 1)
  }

  @Test(arguments: [
    ("", ScenarioError.Kind.format), ("{}", .invalid), ("PK\u{3}\u{4}...", .format), ("{", .syntax),
    ("hello", .invalid),
  ])
  func unknownFilesAreRefused(_ text: String, _ kind: ScenarioError.Kind) async throws {
    let error = try await #require(throws: ScenarioError.self) { try await exchanges(text, "x") }
    #expect(error.kind == kind, "\(error)")
  }

  @Test func formatsThatAreOnlyReadAreNotWritten() {
    var scenario = Scenario()
    scenario.exchanges = [
      .init(id: "01", request: .init("GET", "http://a/"), reply: .init(.init(.init(status: .noContent))))
    ]
    for format in InterchangeFormat.allCases {
      let bytes = try? format.export(scenario).bytes
      // A Pact file is added to, not written anew.
      #expect((bytes != nil) == (InterchangeFormat.written.contains(format) && format != .pact))
    }
  }
}
