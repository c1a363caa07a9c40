import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Secrets in base URLs and in informational responses, which are no part of a request or its reply.
@Suite struct RedactedOriginTests {
  private static let key = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"
  private static let url = "https://api.test/bot\(key)/v1"
  private static let redacted = "https://api.test/botSECRET-TELEGRAM_TOKEN-1/v1"

  private static var scenario: Scenario {
    var scenario = contractScenario(contractExchange("01", "{api}/send", answer: "{}"))
    scenario.origins = [.init(name: "api", origin: url)]
    scenario.recording = .init(date: Date(timeIntervalSince1970: 0), origin: url)
    return scenario
  }

  @Test func anImportHasNoSecretInItsOrigins() throws {
    for namesOrigins in [true, false] {
      var imported = ImportedScenario(scenario: Self.scenario, notes: [])
      imported.namesOrigins = namesOrigins
      let result = try imported.redacted(RedactionOptions())
      #expect(result.scenario.origins.map(\.origin) == [Self.redacted])
      #expect(result.scenario.recording?.origin?.contains("AAHdq") == false)
      let files = try ScenarioWriter.files(of: result.scenario)
      #expect(files.allSatisfy { !String(decoding: $0.bytes, as: UTF8.self).contains("AAHdq") })
      _ = try ReplayTransport(result.scenario)
    }
  }

  @Test func lintNamesTheOriginAndItsLine() throws {
    let folder = try ScratchDirectory()
    try Self.scenario.write(folder: folder.path)
    let findings = try ScenarioLint(folder: folder.path).findings
    let lines = try String(contentsOfFile: folder.path + "/scenario.json", encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("\"origins\"") }) + 1
    #expect(findings.count == 1)
    #expect(
      findings.first?.hasPrefix("\(folder.path)/scenario.json:\(line): origin api: ") == true,
      "\(findings)"
    )
    // What was recorded may be another one.
    var other = Self.scenario
    other.origins[0].origin = "https://api.test"
    try other.write(folder: folder.path)
    let recorded = try ScenarioLint(folder: folder.path).findings
    #expect(recorded.count == 1 && recorded.first?.contains(": recorded: ") == true, "\(recorded)")
  }

  @Test(arguments: [true, false])
  func fixReplacesItInPlace(isByHand: Bool) throws {
    let folder = try ScratchDirectory()
    try Self.scenario.write(folder: folder.path)
    let file = URL(filePath: folder.path + "/scenario.json")
    var text = try String(contentsOf: file, encoding: .utf8)
    if isByHand { text = text.replacing("\"origins\":", with: "\"origins\"  :") }
    try text.write(to: file, atomically: true, encoding: .utf8)
    #expect(try ScenarioFix.redact(below: folder.path, RedactionOptions()).isChanged)
    let fixed = try String(contentsOf: file, encoding: .utf8)
    var expected = text.replacing("bot\(Self.key)", with: "botSECRET-TELEGRAM_TOKEN-1")
    if !isByHand {
      // The layout of a recorder.
      let written = try ScenarioWriter.files(of: Scenario(manifest: Array(expected.utf8)) { _ in Bytes() })
      expected = String(decoding: written[0].bytes, as: UTF8.self)
    }
    #expect(fixed == expected)
    #expect(try ScenarioLint(folder: folder.path).findings == [])
  }

  @Test func informationalHeadsAreReadAsOthers() throws {
    let redactor = Redactor()
    var exchange = contractExchange(answer: "{}")
    let token = try #require(HTTPField.Name("X-Auth-Token"))
    let early = HTTPResponse(
      status: .init(code: 103),
      headerFields: [token: "q7Hw2LzX9bRt4KpV0sDmE8yU", .setCookie: "pin=4711"]
    )
    exchange.reply.informational = [.init(early)]
    try redactor.learn(exchange)
    let result = try redactor.redact(exchange)
    let fields = result.exchange.reply.informational[0].response.headerFields
    #expect(fields[token] == "SECRET-X_AUTH_TOKEN-1")
    #expect(
      result.summary.replaced.contains { $0.place.hasPrefix("informational response") },
      "\(result.summary)"
    )
  }
}
