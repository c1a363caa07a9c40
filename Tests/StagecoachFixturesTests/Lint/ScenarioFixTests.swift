import Foundation
import Stagecoach
import StagecoachScenarios
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Secrets are replaced in the files of scenarios, of which all else stays.
@Suite struct ScenarioFixTests {
  private static let token = "q7Hw2LzX9bRt4KpV0sDmE8yU"

  private func write(_ text: String, _ name: String, in folder: ScratchDirectory) throws -> String {
    let url = URL(filePath: "\(folder.path)/\(name)")
    let parent = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private func text(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
  }

  /// A manifest as a person writes it, with all places of a value; `%` stands for the digest of a file.
  private static let manifest = #"""
    { "format":"stagecoach-scenario/1",
      "exchanges" : [ {"id":"a",
        "reply": [ {"informational": 103, "fields": [["X-Auth-Token", "q7Hw2LzX9bRt4KpV0sDmE8yU"]]},
          {"fields":[["Content-Type","application/x-www-form-urlencoded"],["Content-Length", "43"],
                     ["Set-Cookie", {"latin1": "sid=\u00e9q7Hw2LzX9bRt4KpV; Path=/"}]], "status" : 200 },
          {"body":{"chunks":[[3,1],[40,2]], "text":"a=1&access_token=q7Hw2LzX9bRt4KpV0sDmE8yU&z"}} ],
        "request": {"target":"https://api.example.com/x/?y=%41&token=q7Hw2LzX9bRt4KpV0sDmE8yU", "method":"POST",
          "fields":[["Content-Type", "application/json"]],
          "body":{"json":  {"user":"ad\u0061", "password":"hunter2 \u00e9\/", "pin" : 48291, "n":[1.0, true]} } } },
      {"id":"b", "request": {"method":"GET", "target":"https://api.example.com/f"}, "times": 1,
       "reply": [{"status":200, "fields":[]}, {"body":{"file": "f.json", "form":"pretty", "bytes":66, "sha256": "%"}}],
       "match": {"path": "type"} } ]
    }
    """#
  private static let file =
    "{\n \"token\" : \"q7Hw2LzX9bRt4KpV0sDmE8yU\" ,\n\n \"note\": \"h\\u0069\", \"id\": 17,\"q\":0\n}"

  @Test func changesNothingButTheSecrets() throws {
    let folder = try ScratchDirectory()
    _ = try write(Self.file, "s/f.json", in: folder)
    let digest = SHA256.hash(Array(Self.file.utf8)).hexadecimal
    let before = Self.manifest.replacing(#""%""#, with: "\"\(digest)\"")
    // Without the white space, of which its texts have none.
    let size = Self.file.filter { !$0.isWhitespace }.utf8.count
    let manifest = try write(
      before.replacing(#""bytes":66"#, with: "\"bytes\":\(size)"),
      "s/scenario.json",
      in: folder
    )

    let result = try ScenarioFix.redact(below: folder.path, RedactionOptions())
    let scenario = try Scenario(folder: "\(folder.path)/s")
    let pin = try #require(
      try JSONValue(parsing: scenario.exchanges[0].request.body?.bytes.array ?? [])["pin"]?.intValue
    )
    #expect(pin != 48291 && "\(pin)".count == 5)
    let other = Self.file.replacing(Self.token, with: "SECRET-TOKEN-1")
    #expect(try text("\(folder.path)/s/f.json") == other)
    let otherSize = other.filter { !$0.isWhitespace }.utf8.count
    let expected =
      before
      .replacing(Self.token, with: "SECRET-TOKEN-1")
      .replacing("\\u00e9q7Hw2LzX9bRt4KpV", with: "SECRET-SID-1")
      .replacing(#""hunter2 \u00e9\/""#, with: #""SECRET-PASSWORD-1""#)
      .replacing("48291", with: "\(pin)")
      .replacing(#""Content-Length", "43""#, with: "\"Content-Length\", \"\(43 - 24 + 14)\"")
      .replacing(#"{"chunks":[[3,1],[40,2]], "text""#, with: #"{"text""#)
      .replacing(digest, with: SHA256.hash(Array(other.utf8)).hexadecimal)
      .replacing(#""bytes":66"#, with: "\"bytes\":\(otherSize)")
      .replacing(
        #", "n":[1.0, true]} } } },"#,
        with: #", "n":[1.0, true]} } },"redacted": [["request.body","$.pin","PIN-1"]] },"#
      )
    #expect(try text(manifest) == expected)
    #expect(
      result.isChanged
        && result.lines.contains { $0.contains("/s: replaced PIN-1 (number): request.body $.pin") }
    )
    #expect(try ScenarioLint(folder: folder.path).findings == [])
    let again = try ScenarioFix.redact(below: folder.path, RedactionOptions())
    #expect(!again.isChanged && again.lines.isEmpty)
  }

  @Test func aRecordingKeepsTheLayoutOfARecorder() throws {
    let folder = try ScratchDirectory()
    let exchange = contractExchange(answer: #"{"password":"hunter2","pin":4829,"user":"ada"}"#)
    try contractScenario(exchange).write(folder: folder.path)
    #expect(try ScenarioFix.redact(below: folder.path, RedactionOptions()).isChanged)
    let scenario = try Scenario(folder: folder.path)
    let written = try ScenarioWriter.files(of: scenario)
    #expect(try text("\(folder.path)/scenario.json") == String(decoding: written[0].bytes, as: UTF8.self))
    #expect(scenario.exchanges[0].redacted == [.init("reply.body", "$.pin", "PIN-1")])
  }

  @Test func exchangesInATextAreRedacted() throws {
    let folder = try ScratchDirectory()
    let message = """
      # A login.
      POST https://api.example.com/login?token=\(Self.token)
      Content-Type:   application/json

      {"password" : "hunter2"}

      ###
      HTTP/1.1 200 OK
      X-Api-Key: \(Self.token)

      ###

      """
    let file = try write(message, "a/login.http", in: folder)
    let fixed = try ScenarioFix.redact(below: folder.path, RedactionOptions())
    #expect(fixed.isChanged && fixed.lines.first?.hasPrefix("\(file): replaced ") == true, "\(fixed)")
    let expected = message.replacing(Self.token, with: "SECRET-TOKEN-1")
      .replacing("hunter2", with: "SECRET-PASSWORD-1")
    #expect(try text(file) == expected)
    #expect(try ScenarioLint(folder: folder.path).findings == [])

    // A made-up number would have to be listed.
    let number = message.replacing(#""hunter2""#, with: #""x", "pin": 48291"#)
    _ = try write(number, "a/login.http", in: folder)
    let refused = try ScenarioFix.redact(below: folder.path, RedactionOptions())
    #expect(!refused.isChanged && refused.lines.count == 1 && refused.lines[0].contains("not redacted"))
    #expect(try text(file) == number)
  }

  @Test func theOptionsAndTheProjectSayMore() throws {
    let folder = try ScratchDirectory()
    let answer =
      #"{"password":"hunter2","tenant":"acme","list":[{"x":"a-1"},{"x":"b-2"}],"note":"ask Mr. Horse"}"#
    try contractScenario(contractExchange(answer: answer)).write(folder: folder.path + "/a/b")
    _ = try write(#"{"keep": ["password"], "redact": ["$.list[*].x"]}"#, "redaction.json", in: folder)
    var options = RedactionOptions()
    options.redact("tenant")
    options.secrets["MAN"] = "Mr. Horse"
    let result = try ScenarioFix.redact(below: folder.path, options)
    let body = try Scenario(folder: folder.path + "/a/b").exchanges[0].reply.body?.bytes.array ?? []
    #expect(
      String(decoding: body, as: UTF8.self)
        == #"{"password":"hunter2","tenant":"SECRET-TENANT-1","list":[{"x":"SECRET-X-1"},{"x":"SECRET-X-2"}],"#
        + #""note":"ask SECRET-MAN-1"}"#
    )
    #expect(result.lines.contains("\(folder.path)/a/b: kept: reply.body $.password"))
  }

  @Test func leavesUnreadableContentUnchanged() throws {
    let folder = try ScratchDirectory()
    let broken = try write("{", "broken/scenario.json", in: folder)
    try contractScenario(contractExchange(answer: #"{"password":"hunter2"}"#)).write(
      folder: folder.path + "/whole"
    )
    #expect(try ScenarioFix.redact(below: folder.path, RedactionOptions()).isChanged)
    #expect(try text(broken) == "{")
    #expect(try !text(folder.path + "/whole/scenario.json").contains("hunter2"))
  }

  @Test func aMadeUpValueIsNotReplacedAgain() throws {
    let folder = try ScratchDirectory()
    var exchange = contractExchange(
      fields: [.setCookie: "sid=d26df6d7f2866b1b9d8b"],
      answer: #"{"session_id":"d26df6d7f2866b1b9d8b"}"#
    )
    exchange.redacted = [
      .init("reply.header", "set-cookie.sid", "SID-1"), .init("reply.body", "$.session_id", "SID-1"),
    ]
    try contractScenario(exchange).write(folder: folder.path)
    let result = try ScenarioFix.redact(below: folder.path, RedactionOptions())
    #expect(!result.isChanged && result.lines == [])
  }

  /// The member is found by its place: its name also stands in a text in front of it, and may have escapes.
  @Test(arguments: [
    (#""text":"\"chunks\": token=%","chunks":[[9,1],[33,2]]"#, #""text":"\"chunks\": token=@""#),
    (#""chunks":[[9,1],[33,2]] , "text":"\"chunks\": token=%""#, #""text":"\"chunks\": token=@""#),
  ])
  func aMemberIsRemovedAtItsPlace(_ body: String, _ expected: String) throws {
    let folder = try ScratchDirectory()
    let manifest = #"""
      { "format":"stagecoach-scenario/1", "exchanges" : [ {"id":"a", "request":{"method":"GET", "target":"https://a.test/"},
        "reply":[{"status":200, "fields":[["Content-Type", "text/plain"]]}, {"body":{BODY}}]} ]}
      """#
    let file = try write(
      manifest.replacing("BODY", with: body.replacing("%", with: Self.token)),
      "s/scenario.json",
      in: folder
    )
    #expect(try ScenarioFix.redact(below: folder.path, RedactionOptions()).isChanged)
    let other = manifest.replacing("BODY", with: expected.replacing("@", with: "SECRET-TOKEN-1"))
    #expect(try text(file) == other)
  }

  /// A value that stands in a URL, in a field and in the content is replaced in each of them.
  @Test func aValueAtSeveralPlacesOfATextIsReplacedInEach() throws {
    let folder = try ScratchDirectory()
    let message = """
      GET /x/\(Self.token)/y
      Host: api.example.com
      Referer: https://api.example.com/x/\(Self.token)/y

      ###
      HTTP/1.1 200 OK
      Content-Type: application/json
      X-Api-Key: \(Self.token)

      {"token": "\(Self.token)"}

      ###

      """
    let file = try write(message, "a/login.http", in: folder)
    let fixed = try ScenarioFix.redact(below: folder.path, RedactionOptions())
    #expect(fixed.isChanged, "\(fixed.lines)")
    let changed = try text(file)
    #expect(!changed.contains(Self.token) && changed.hasPrefix("GET /x/SECRET-"), "\(changed)")
    #expect(changed.split(separator: "SECRET-").count == 5)
  }
}
