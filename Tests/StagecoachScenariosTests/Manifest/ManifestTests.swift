import Foundation
import HTTPTypes
import StagecoachFormats
import StagecoachScenarios
import TestSupport
import Testing

/// What is written is read again, and what cannot be is refused with its line.
struct ManifestTests {
  private static func exchange(_ id: String = "01", _ members: String = "", target: String = "http://a/")
    -> String
  {
    """
    { "id": "\(id)", \(members)
      "request": { "method": "GET", "target": "\(target)" },
      "reply": [{ "status": 200 }, { "end": "complete" }] }
    """
  }

  private static func manifest(_ exchanges: String, _ members: String = "") -> String {
    """
    {
      "format": "stagecoach-scenario/1", \(members)
      "exchanges": [
        \(exchanges)
      ]
    }
    """
  }

  private func read(_ text: String) throws -> Scenario {
    let folder = try ScratchDirectory()
    _ = try folder.file("scenario.json", Array(text.utf8))
    return try Scenario(folder: folder.path)
  }

  /// A scenario with all that there is.
  static func full() -> Scenario {
    var scenario = Scenario(title: "all of it")
    scenario.schema = "../../Schema/scenario-1.schema.json"
    scenario.recording = Scenario.Recording(
      date: Date(timeIntervalSince1970: 1_790_000_000),
      recorder: "stagecoach",
      origin: "https://api.example.com",
      position: "Cookies"
    )
    scenario.expires = Date(timeIntervalSince1970: 1_800_000_000)
    scenario.policy.order = .perOrigin
    scenario.policy.unused = .warn
    scenario.policy.mode = .recordMissing
    scenario.clock = Date(timeIntervalSince1970: 1_790_000_001)
    scenario.seed = .max
    scenario.origins = [Scenario.Alias(name: "api", origin: "https://api.example.com")]
    scenario.defaults = [Scenario.Rule("header.X-Id", "any-uuid")]
    var request = Scenario.Request(
      "POST",
      "{api}/users?a=1&a=2",
      fields: [.accept: "a", .init("x-ID")!: "ä"]
    )
    request.fields.append(HTTPField(name: .cookie, value: [0x61, 0x3d, 0x22, 0xe9, 0xff, 0x80]))
    request.version = "1.1"
    request.body = Scenario.Body(Bytes(#"{"n": 1.0, "n": 2, "s": "é"}"#), type: "application/json")
    request.body?.form = .pretty
    request.trailers = [.init("X-Sum")!: "7"]
    var head = HTTPResponse(status: .init(code: 207, reasonPhrase: "Some Reason"))
    for value in ["a=1", "b=2"] { head.headerFields.append(HTTPField(name: .setCookie, value: value)) }
    var reply = Scenario.Reply(Scenario.Head(head, version: "1.1", time: .microseconds(12_345)))
    reply.informational = [
      Scenario.Head(
        HTTPResponse(status: .init(code: 103), headerFields: [.init("Link")!: "</a>"]),
        time: .milliseconds(1)
      )
    ]
    reply.body = Scenario.Body(Bytes([0, 255, 1]), type: "image/png")
    reply.body?.codings = ["gzip"]
    reply.body?.framing = .chunked
    reply.body?.chunks = [.init(bytes: 1, delay: .zero), .init(bytes: 2, delay: .microseconds(1500))]
    reply.trailers = [.init("X-Sum")!: "9"]
    reply.outcome = Scenario.Outcome(.truncated, detail: "after 3 bytes")
    reply.end = .seconds(1)
    var exchange = Scenario.Exchange(id: "first", request: request, reply: reply)
    exchange.times = .atLeastOnce
    exchange.requires = [.init(name: "session", value: nil)]
    exchange.sets = [.init(name: "session", value: "open")]
    exchange.match = [Scenario.Rule("body$.n", ["match": "number"])]
    exchange.expect = [Scenario.Rule("status", "success")]
    exchange.isOptional = true
    var second = Scenario.Exchange(
      id: "second",
      request: Scenario.Request("GET", "{api}/"),
      reply: Scenario.Reply(Scenario.Outcome(.tls, detail: "untrusted"))
    )
    second.cause = Scenario.Cause(.redirect, of: "first")
    second.times = .last
    scenario.exchanges = [exchange, second]
    return scenario
  }

  @Test func allIsReadAgainAndWrittenAsBefore() throws {
    let folder = try ScratchDirectory()
    var scenario = Self.full()
    try scenario.write(folder: folder.path)
    let manifest = try Data(contentsOf: URL(filePath: "\(folder.path)/scenario.json"))
    let again = try Scenario(folder: folder.path)
    scenario.exchanges[0].reply.body?.file = "first.response.png"
    #expect(again == scenario)
    try again.write(folder: folder.path)
    #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/scenario.json")) == manifest)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "first.response.png", "scenario.json",
      ]
    )
  }

  @Test func aValueThatIsNotUTF8IsReadable() throws {
    let folder = try ScratchDirectory()
    try Self.full().write(folder: folder.path)
    let text = try String(contentsOfFile: "\(folder.path)/scenario.json", encoding: .utf8)
    #expect(text.contains(#"{ "latin1": "a=\"\#u{e9}\#u{ff}\#u{80}" }"#))
  }

  @Test func itsLayoutIsForPeople() throws {
    let folder = try ScratchDirectory()
    var scenario = Scenario(title: "a user")
    let head = Scenario.Head(HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]))
    var reply = Scenario.Reply(head, body: Scenario.Body(Bytes(#"{"id":1}"#), type: "application/json"))
    reply.body?.form = .pretty
    scenario.exchanges = [.init(id: "01", request: .init("GET", "http://a/users/1"), reply: reply)]
    try scenario.write(folder: folder.path)
    #expect(
      try String(contentsOf: URL(filePath: "\(folder.path)/scenario.json"), encoding: .utf8) == """
        {
          "format": "stagecoach-scenario/1",
          "title": "a user",
          "exchanges": [
            {
              "id": "01",
              "request": { "method": "GET", "target": "http://a/users/1" },
              "reply": [
                {
                  "status": 200,
                  "reason": "OK",
                  "fields": [
                    ["Content-Type", "application/json"]
                  ]
                },
                {
                  "body": {
                    "json": { "id": 1 },
                    "type": "application/json"
                  }
                },
                { "end": "complete" }
              ]
            }
          ]
        }

        """
    )
  }

  @Test(arguments: [
    (#"{"format": "stagecoach-scenario/2", "exchanges": []}"#, "1: format: unknown format"),
    ("{\n\"exchanges\": []}", "1: \"format\" is missing"),
    ("{\n\"format\": }", "2: "),
    (manifest(exchange(), "\n\"titel\": 1,"), "3: titel: unknown member; known ones are"),
    (manifest(exchange() + ",\n" + exchange()), "7: exchanges[1].id: another exchange has the id \"01\""),
    (
      manifest(exchange("1", "\"because\": { \"retry\": \"0\" },")),
      "4: exchanges[0].because: no exchange before"
    ),
    (manifest(exchange("1", "\"times\": 0,")), "4: exchanges[0].times: expected a number of at least 1"),
    (manifest(exchange(target: "{api}/")), "5: exchanges[0].request.target: no origin is called \"api\""),
    (manifest(exchange().replacing("200", with: "99")), "6: exchanges[0].reply[0].status: expected a status"),
    (
      manifest(exchange().replacing("200", with: "200, \"fields\": [[\"A\", {\"latin1\": \"\u{20ac}\"}]]")),
      "6: exchanges[0].reply[0].fields[0][1].latin1: expected characters up to U+00FF"
    ),
    (
      manifest(exchange().replacing("complete", with: "done")),
      "6: exchanges[0].reply[1].end: unknown value \"done\""
    ),
    (
      manifest(
        exchange().replacing(
          "{ \"end\"",
          with: "{ \"body\": { \"text\": \"a\", \"file\": \"b\" } }, { \"end\""
        )
      ),
      "6: exchanges[0].reply[1].body: expected one of the members"
    ),
  ])
  func errorsNameTheLine(text: String, expected: String) throws {
    let error = try #require(throws: ScenarioError.self) { try read(text) }
    let line = "\(error)".split(separator: "/scenario.json:").last.map(String.init) ?? ""
    #expect(line.hasPrefix(expected), "\(error)")
  }

  @Test(arguments: ["../a", "/etc/passwd", "a/../b", ".hidden", "a//b", "", "scenario.json", "a\\b", "./a"])
  func refusesABodyFileOutsideTheFolder(name: String) throws {
    let escaped = String(decoding: JSONValue.string(name).serialized(), as: UTF8.self)
    let body = "{ \"body\": { \"file\": \(escaped) } }, { \"end\""
    let text = Self.manifest(Self.exchange().replacing("{ \"end\"", with: body))
    let error = try #require(throws: ScenarioError.self) { try read(text) }
    #expect(error.kind == .unsafePath)
  }

  @Test func linksAreRefused() throws {
    let (outside, folder) = (try ScratchDirectory(), try ScratchDirectory())
    let secret = try outside.file("secret", Array("s".utf8))
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/a.txt", withDestinationPath: secret)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/sub",
      withDestinationPath: outside.path
    )
    for name in ["a.txt", "sub/secret"] {
      let body = "{ \"body\": { \"file\": \"\(name)\" } }, { \"end\""
      let text = Self.manifest(Self.exchange().replacing("{ \"end\"", with: body))
      _ = try folder.file("scenario.json", Array(text.utf8))
      let error = try #require(throws: ScenarioError.self) { try Scenario(folder: folder.path) }
      #expect(error.kind == .unsafePath, "\(error)")
    }
  }
}
