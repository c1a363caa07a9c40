import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// What stands for secrets, in the files of other tools and read again.
@Suite struct RedactedExportTests {
  /// An exchange with secrets in each part, some of them made-up values.
  private static func scenario(_ type: String, _ content: String, _ redacted: [Scenario.RedactedLeaf])
    -> Scenario
  {
    var request = Scenario.Request(
      "POST",
      "{api}/v1/SECRET-KEY-1/pay.do?k=SECRET-KEY-2&page=1",
      fields: [.authorization: "Bearer SECRET-TOKEN-1", .contentType: type, .init("X-Request-Id")!: "1"]
    )
    request.body = Scenario.Body(Bytes(content), type: type)
    var reply = Scenario.Reply(
      Scenario.Head(HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]))
    )
    reply.body = Scenario.Body(#"{"token":"SECRET-TOKEN-2","n":1}"#, type: "application/json")
    var exchange = Scenario.Exchange(id: "pay", request: request, reply: reply)
    exchange.redacted = redacted
    exchange.times = .any
    var scenario = Scenario()
    scenario.origins = [Scenario.Alias(name: "api", origin: "http://localhost:8080")]
    scenario.exchanges = [exchange]
    return scenario
  }

  /// Content with a placeholder and a made-up value, with other secrets in their place, and with other harmless values.
  private static let contents: [(type: String, recorded: String, live: String, others: [String])] = [
    (
      "application/json", #"{"user":"ada","pin":4711,"pw":"SECRET-PW-1"}"#,
      #"{"user":"ada","pin":12,"pw":"x"}"#,
      [
        #"{"user":"eve","pin":4711,"pw":"x"}"#, #"{"user":"ada","pin":"a","pw":"x"}"#,
        #"{"user":"ada","pin":4711}"#,
      ]
    ),
    (
      "application/x-www-form-urlencoded", "user=ada&pw=SECRET-PW-1", "user=ada&pw=x%20y",
      ["user=eve&pw=x", "user=ada"]
    ),
    (
      "application/xml", "<?xml version='1.0'?><l><user>ada</user><pw>SECRET-PW-1</pw></l>",
      "<?xml version='1.0'?><l><user>ada</user><pw>x</pw></l>",
      ["<?xml version='1.0'?><l><user>eve</user><pw>x</pw></l>"]
    ),
    ("text/plain", "pw: SECRET-PW-1", "pw: x", []),
  ]

  private static let madeUp = [Scenario.RedactedLeaf("request.body", "$.pin", "PIN-1")]

  private func answer(_ scenario: Scenario, _ path: String, _ type: String, _ content: String) async throws
    -> String
  {
    let fields: HTTPFields = [
      .authorization: "Bearer other", .contentType: type, .init("X-Request-Id")!: "2",
    ]
    let request = Request(.post, "http://localhost:8080\(path)", fields: fields, body: .bytes(Bytes(content)))
    let response = try await Pipeline(over: try ReplayTransport(scenario)) {}.send(request)
    return String(decoding: try await response.body.collect(upTo: 1000))
  }

  private func check(
    _ scenario: Scenario,
    _ content: (type: String, recorded: String, live: String, others: [String])
  )
    async throws
  {
    let path = "/v1/abc/pay.do?k=z&page=1"
    #expect(try await answer(scenario, path, content.type, content.live).contains("token"))
    for other in content.others {
      await #expect(throws: ExchangeError.self, "\(other)") {
        try await answer(scenario, path, content.type, other)
      }
    }
    for other in ["/v1/abc/payXdo?k=z&page=1", "/v1/abc/pay.do?k=z&page=2", "/v1/abc/pay.do?page=1"] {
      await #expect(throws: ExchangeError.self, "\(other)") {
        try await answer(scenario, other, content.type, content.live)
      }
    }
  }

  @Test(arguments: contents.indices)
  func aPactExportHoldsExamplesInPlaceOfSecrets(index: Int) async throws {
    let content = Self.contents[index]
    let scenario = Self.scenario(content.type, content.recorded, index == 0 ? Self.madeUp : [])
    let (file, losses) = try PactFile.contract(of: scenario, consumer: "c", provider: "p")
    #expect(losses.contains { $0.hasPrefix("1 exchange has examples in place of secrets") })
    let written = try file.serialized(as: .v4).bytes
    let response = try JSONValue(parsing: written)["interactions"]?[0]?["response"]
    #expect(response?["matchingRules"]?["body"]?["$.token"]?["matchers"] == [["match": "type"]])
    let again = try PactFile(contents: written, path: "p.json").scenario(origin: "http://localhost:8080")
      .scenario
    try await check(again, content)
  }

  @Test(arguments: contents.indices)
  func aWireMockExportHoldsExamplesInPlaceOfSecrets(index: Int) async throws {
    let content = Self.contents[index]
    let scenario = Self.scenario(content.type, content.recorded, index == 0 ? Self.madeUp : [])
    let export = try InterchangeFormat.wiremock.export(scenario)
    let again = try await InterchangeFormat.scenario(in: export.bytes.array, of: "w.json")
    #expect(again.notes == [])
    try await check(again.scenario, content)
  }

  @Test func aHARExportHoldsExamplesInPlaceOfSecrets() async throws {
    let content = Self.contents[0]
    let scenario = Self.scenario(content.type, content.recorded, Self.madeUp)
    let export = try InterchangeFormat.har.export(scenario)
    var root = try JSONValue(parsing: export.bytes.array)
    let list: JSONValue = [["request.body", "$.pin", "PIN-1"]]
    #expect(root["log"]?["entries"]?[0]?["_redacted"] == list)
    let again = try await InterchangeFormat.scenario(in: export.bytes.array, of: "a.har").scenario
    #expect(again == scenario)
    try await check(again, content)
    // A tool that knows nothing of ours keeps the list.
    var log = try #require(root["log"]?.objectValue)
    log["_stagecoach"] = nil
    root = ["log": .object(log)]
    let foreign = try await InterchangeFormat.scenario(in: root.serialized(), of: "b.har").scenario
    #expect(foreign.exchanges.map(\.redacted) == [Self.madeUp])
    #expect(
      foreign.exchanges.map { $0.request.body?.bytes }
        == [Bytes(content.recorded)].map { Scenario.Body($0, type: nil).pretty().bytes }
    )
  }

  /// A wrong password and then the right one, parts, and a made-up value that is long and random.
  private static var login: Scenario {
    func exchange(_ id: String, _ path: String, _ type: String, _ body: String, _ status: Int)
      -> Scenario.Exchange
    {
      var exchange = contractExchange(
        id,
        "http://localhost:8080\(path)",
        body: body,
        status: status,
        answer: "{}"
      )
      exchange.request.fields[.contentType] = type
      exchange.request.body?.type = type
      return exchange
    }
    let form = "application/x-www-form-urlencoded"
    let part =
      "--b1\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nSECRET-PASSWORD-2\r\n--b1--\r\n"
    var scenario = contractScenario(
      exchange("01", "/login", form, "user=ada&password=SECRET-PASSWORD-1", 401),
      exchange("02", "/login", form, "user=ada&password=SECRET-PASSWORD-2", 200),
      exchange("03", "/parts", "multipart/form-data; boundary=b1", part, 200)
    )
    scenario.origins = [.init(name: "api", origin: "http://localhost:8080")]
    scenario.exchanges[1].reply.head?.response.headerFields[.setCookie] = "sid=d26df6d7f2866b1b9d8b; Path=/"
    scenario.exchanges[1].redacted = [.init("reply.header", "set-cookie.sid", "SID-1")]
    return scenario
  }

  @Test(arguments: [InterchangeFormat.har, .wiremock])
  func aLoginIsReplayedAfterARoundTrip(_ format: InterchangeFormat) async throws {
    let export = try format.export(Self.login)
    let again = try await InterchangeFormat.scenario(in: export.bytes.array, of: "f")
    #expect(again.summary.omitted.isEmpty && again.scenario.exchanges.count == 3)
    #expect(again.scenario.exchanges.map(\.redacted) == Self.login.exchanges.map(\.redacted))
    #expect(
      again.scenario.exchanges.map { $0.request.body?.bytes }
        == Self.login.exchanges.map { $0.request.body?.bytes }
    )
    let pipeline = Pipeline(over: try ReplayTransport(again.scenario)) {}
    let form = "application/x-www-form-urlencoded"
    for (password, status) in [("my-wrong-one", 401), ("my-right-one", 200)] {
      let body = Bytes("user=ada&password=\(password)")
      let login = Request(
        .post,
        "http://localhost:8080/login",
        fields: [.contentType: form],
        body: .bytes(body)
      )
      #expect(try await pipeline.send(login).status.code == status)
    }
    let part = "--zz9\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nmy-right-one\r\n--zz9--\r\n"
    let fields: HTTPFields = [.contentType: "multipart/form-data; boundary=zz9"]
    let parts = Request(.post, "http://localhost:8080/parts", fields: fields, body: .bytes(Bytes(part)))
    #expect(try await pipeline.send(parts).status == .ok)
  }

  /// WireMock has no secrets: the wrong login and the right one are two states of one stub there.
  @Test func wireMockAnswersEqualLoginsInTurn() async throws {
    let export = try InterchangeFormat.wiremock.export(Self.login)
    var root = try JSONValue(parsing: export.bytes.array)
    let mappings = try #require(root["mappings"]?.arrayValue)
    let logins = mappings.filter { $0["request"]?["url"] == "/login" }
    #expect(logins.count == 2 && logins[0]["request"] == logins[1]["request"])
    // The one that was added last is the first.
    #expect(logins.map { $0["response"]?["status"] } == [200, 401])
    #expect(logins.map { $0["requiredScenarioState"] } == ["2", "Started"])
    #expect(
      logins.map { $0["newScenarioState"] } == [nil, "2"]
        && logins[0]["scenarioName"] == logins[1]["scenarioName"]
    )

    // A path that is none would lead elsewhere: with it, only the pattern counts.
    let text = String(decoding: export.bytes)
    let trap = text.replacing(#""target": "/parts""#, with: #""target": "@evil.test/parts""#)
    #expect(trap != text)
    let read = try await InterchangeFormat.scenario(in: Array(trap.utf8), of: "w.json").scenario
    #expect(read.exchanges.allSatisfy { !$0.request.target.contains("evil") })

    // A pattern that somebody changed counts, and not what was recorded.
    var changed = mappings
    for index in changed.indices where changed[index]["response"]?["status"] == 200 {
      var mapping = try #require(changed[index].objectValue)
      mapping["request"] = ["method": "POST", "url": "/other"]
      changed[index] = .object(mapping)
    }
    root = ["mappings": .array(changed)]
    let again = try await InterchangeFormat.scenario(in: root.serialized(), of: "w.json").scenario
    #expect(again.exchanges.map(\.request.target).filter { $0.hasSuffix("/other") }.count == 2)
  }
}
