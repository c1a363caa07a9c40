import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Secrets that lint finds: in messages, not in what a manifest says about them.
@Suite struct ScenarioLintTests {
  private func findings(_ folder: ScratchDirectory) throws -> [String] {
    try ScenarioLint(folder: folder.path).findings.map { $0.replacing(folder.path, with: "") }
  }

  private func exchange(_ id: String, _ answer: String) -> Scenario.Exchange {
    var exchange = contractExchange(answer: answer)
    exchange.id = id
    return exchange
  }

  @Test func aSecretInAMessageIsFoundWithTheLineOfItsExchange() throws {
    let folder = try ScratchDirectory()
    let key = "q7Hw2LzX9bRt4KpV0sDmE8yU"
    let scenario = contractScenario(
      exchange("01", #"{"a": 1}"#),
      exchange("02", #"{"password": "abc", "b": "\#(key)"}"#)
    )
    try scenario.write(folder: folder.path + "/s")
    let manifest = try String(contentsOfFile: folder.path + "/s/scenario.json", encoding: .utf8)
    let lines = manifest.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("\"id\": \"02\"") })
    #expect(
      try findings(folder) == [
        "/s/scenario.json:\(line): exchange 02: reply.body $.password: a value with the name of a secret",
        "/s/scenario.json:\(line): exchange 02: reply.body $.b: random, 24 characters",
      ]
    )
    // What the project keeps is none.
    try #"{ "keep": ["password", "$.b"] }"#
      .write(toFile: folder.path + "/redaction.json", atomically: true, encoding: .utf8)
    #expect(try findings(folder) == [])
  }

  @Test func doesNotReportStatesRulesAndPlaceholders() throws {
    let folder = try ScratchDirectory()
    var first = exchange("01", #"{"token": "SECRET-TOKEN-1", "n": 1234567, "pin": 1234}"#)
    first.redacted = [.init("reply.body", "$.pin", "PIN-1")]
    first.expect = [.init("body$.token", ["regex": "SECRET-[A-Z]+-q7Hw2LzX9bRt4KpV0sDmE8yU|.*"])]
    first.sets = [.init(name: "token", value: "q7Hw2LzX9bRt4KpV0sDmE8yU")]
    try contractScenario(first, title: "password: q7Hw2LzX9bRt4KpV0sDmE8yU").write(folder: folder.path + "/s")
    #expect(try findings(folder) == [])
  }

  @Test func whatWasNotRecordedIsNoted() throws {
    let folder = try ScratchDirectory()
    var (long, secret) = (exchange("01", "a"), exchange("02", "a"))
    long.reply.body?.bytes = Bytes()
    long.reply.body?.omission = .init(bytes: 99, reason: "longer than 10 bytes")
    secret.omission = "a secret would be written"
    try contractScenario(long, secret, exchange("03", #"{"a": 1}"#)).write(folder: folder.path + "/s")
    let lint = try ScenarioLint(folder: folder.path)
    #expect(lint.findings == [])
    let notes = lint.notes.map { $0.replacing(folder.path, with: "") }
    #expect(notes.count == 2)
    #expect(
      notes[0].hasSuffix(": exchange 01: not recorded: the content of the reply: longer than 10 bytes"),
      "\(notes)"
    )
    #expect(notes[1].hasSuffix(": exchange 02: it was not recorded: a secret would be written"), "\(notes)")
    #expect(notes.allSatisfy { $0.hasPrefix("/s/scenario.json:") })
  }

  @Test func anImportIsClean() throws {
    let folder = try ScratchDirectory()
    let scenario = contractScenario(
      exchange("01", #"{"access_token": "q7Hw2LzX9bRt4KpV0sDm", "id": 1234567, "cvv": 123, "otp": "004217"}"#)
    )
    let imported = try ImportedScenario(scenario: scenario, notes: []).redacted(RedactionOptions())
    #expect(imported.summary.reported == [])
    try imported.scenario.write(folder: folder.path + "/s")
    #expect(try findings(folder) == [])
  }
}
