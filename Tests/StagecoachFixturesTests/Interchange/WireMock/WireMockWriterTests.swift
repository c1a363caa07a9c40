import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Scenarios as mappings of WireMock, in the form that its documentation shows.
@Suite struct WireMockWriterTests {
  private func exchange(_ id: String, _ request: Scenario.Request, _ body: String, _ status: Int = 200)
    -> Scenario.Exchange
  {
    var reply = Scenario.Reply(.init(HTTPResponse(status: .init(code: status))))
    reply.body = .init(Bytes(body), type: "text/plain")
    return .init(id: id, request: request, reply: reply)
  }

  private func scenario(_ exchanges: [Scenario.Exchange]) -> Scenario {
    var scenario = Scenario()
    scenario.origins = [.init(name: "api", origin: "http://localhost:8080")]
    scenario.exchanges = exchanges
    return scenario
  }

  @Test func mappingsHaveTheDocumentedForm() throws {
    var first = exchange(
      "01",
      .init("POST", "{api}/a/7?x=1&x=2&y=%20z", fields: [.accept: "text/a"]),
      "ok",
      201
    )
    first.request.body = .init(Bytes(#"{"a":1}"#), type: "application/json")
    first.match = [
      .init("header.accept", ["match": "regex", "regex": "text/.+"]), .init("query.y", "notEmpty"),
    ]
    first.reply.head?.response.headerFields = [.contentType: "text/plain", .transferEncoding: "chunked"]
    first.reply.head?.response.headerFields.append(.init(name: .setCookie, value: "a=1"))
    first.reply.head?.response.headerFields.append(.init(name: .setCookie, value: "b=2"))
    first.reply.head?.time = .milliseconds(12)
    let export = try InterchangeFormat.wiremock.export(scenario([first]))
    #expect(export.losses == ["1 exchange lost the refusal of other query parameters"])
    let mapping = try JSONValue(parsing: export.bytes.array)["mappings"]?[0]
    #expect(
      mapping == [
        "name": "01",
        "request": [
          "method": "POST", "urlPath": "/a/7",
          "queryParameters": [
            "x": ["hasExactly": [["equalTo": "1"], ["equalTo": "2"]]], "y": ["matches": ".+"],
          ],
          "headers": ["Accept": ["matches": "text/.+"]], "bodyPatterns": [["equalToJson": "{\"a\":1}"]],
        ],
        "response": [
          "status": 201, "headers": ["Content-Type": "text/plain", "Set-Cookie": ["a=1", "b=2"]],
          "body": "ok",
          "fixedDelayMilliseconds": 12,
        ],
      ]
    )
  }

  @Test(
    arguments: [
      ("/a", [], ["url": "/a"], false), ("/a%20b?x=%31", [], ["url": "/a%20b?x=%31"], false),
      ("/a", ["query"], ["urlPath": "/a"], false),
      ("/a?x=1", ["query"], ["urlPath": "/a", "queryParameters": ["x": ["equalTo": "1"]]], false),
      ("/a", ["path"], ["urlPathPattern": "/.*"], true),
      (
        "/a?x=1&y=2", [],
        ["urlPath": "/a", "queryParameters": ["x": ["equalTo": "1"], "y": ["equalTo": "2"]]],
        true
      ),
    ] as [(String, [String], JSONValue, Bool)]
  )
  func queriesMatchAsInOurReplayOrAreALoss(
    _ target: String,
    _ places: [String],
    _ expected: JSONValue,
    _ isLoss: Bool
  ) throws {
    var asked = exchange("01", .init("GET", "{api}\(target)"), "a")
    asked.match = places.map {
      Scenario.Rule($0, $0 == "query" ? "values" : ["match": "regex", "regex": "/.*"])
    }
    let export = try InterchangeFormat.wiremock.export(scenario([asked]))
    var pattern = try #require(
      JSONValue(parsing: export.bytes.array)["mappings"]?[0]?["request"]?.objectValue
    )
    pattern["method"] = nil
    #expect(JSONValue.object(pattern) == expected)
    #expect(export.losses == (isLoss ? ["1 exchange lost the refusal of other query parameters"] : []))
  }

  @Test(arguments: HARSamples.all.map(\.name) + ["full"])
  func exportsAreValid(_ name: String) async throws {
    let sample = HARSamples.all.first { $0.name == name }?.text
    let scenario =
      if let sample { try await Scenario(importing: Bytes(sample)) } else { HARWriterTests.full() }
    let export = try InterchangeFormat.wiremock.export(scenario)
    #expect(WireMockValidator.faults(in: try JSONValue(parsing: export.bytes.array)).isEmpty)
  }

  @Test func repeatedRequestsBecomeAScenario() throws {
    let request = Scenario.Request("GET", "{api}/job")
    let export = try InterchangeFormat.wiremock.export(
      scenario([exchange("01", request, "a"), exchange("02", request, "b"), exchange("03", request, "c")])
    )
    let mappings = try JSONValue(parsing: export.bytes.array)["mappings"]?.arrayValue ?? []
    let states = mappings.reversed().map { mapping in
      ["requiredScenarioState", "newScenarioState"].map { mapping[$0]?.stringValue }
    }
    #expect(states == [["Started", "2"], ["2", "3"], ["3", nil]])
  }

  @Test func exportsCodedContentAndFailuresAndListsLosses() throws {
    var coded = exchange("01", .init("GET", "{api}/z"), "zip")
    coded.reply.body?.codings = ["gzip"]
    coded.reply.trailers = [:]
    var dns = Scenario.Exchange(id: "02", request: .init("GET", "{api}/dns"), reply: .init(.init(.dns)))
    dns.match = [.init("path", ["match": "regex", "regex": "/d.*"])]
    var reset = Scenario.Exchange(
      id: "03",
      request: .init("GET", "http://b.test/"),
      reply: .init(.init(.reset))
    )
    reset.match = [.init("path", ["match": "include", "value": "/"]), .init("body$.a", "type")]
    var all = scenario([coded, dns, reset])
    all.policy.order = .strict
    let export = try InterchangeFormat.wiremock.export(all)
    #expect(
      export.losses == [
        "2 origins became one server", "the order of the requests was lost",
        "1 exchange lost the rule body$.a",
        "1 exchange lost the rule path", "1 exchange lost the refusal of other query parameters",
        "1 exchange was left out: WireMock has no fault for dns",
        "1 exchange lost its trailers",
      ]
    )
    let mappings = try JSONValue(parsing: export.bytes.array)["mappings"]
    #expect(mappings?[0]?["response"] == ["fault": "CONNECTION_RESET_BY_PEER"])
    let base64 = try #require(mappings?[1]?["response"]?["base64Body"]?.stringValue)
    #expect(Bytes(base64: base64)?.array == StoredCoding.encode(Array("zip".utf8), as: "gzip"))
  }

  @Test func whatWasImportedIsExportedAgain() async throws {
    let stubs = Array(WireMockReaderTests.stubs.utf8)
    let imported = try await InterchangeFormat.scenario(in: stubs, of: "a.json").scenario
    let export = try InterchangeFormat.wiremock.export(imported)
    #expect(export.losses == ["1 exchange lost the sizes and times of its chunks; they are alike now"])
    let again = try await InterchangeFormat.scenario(in: export.bytes.array, of: "b.json").scenario
    for (exchange, before) in zip(again.exchanges, imported.exchanges) {
      #expect(exchange.reply == before.reply)
      #expect(exchange.requires == before.requires && exchange.sets == before.sets)
      #expect(Set(exchange.match.map(\.place)) == Set(before.match.map(\.place)), "\(before.id)")
    }
    #expect(again.exchanges.count == imported.exchanges.count)
  }
}
