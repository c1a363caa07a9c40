import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Mappings of WireMock as scenarios.
@Suite struct WireMockReaderTests {
  private func read(_ text: String, of file: String = "stubs.json") async throws -> ImportedScenario {
    try await InterchangeFormat.scenario(in: Array(text.utf8), of: file)
  }

  static let stubs = #"""
    {"mappings": [
     {"request": {"method": "GET", "urlPathPattern": "/users/[0-9]+"},
      "response": {"status": 200, "statusMessage": "Fine", "jsonBody": {"id": 7, "n": 1.0},
       "headers": {"Content-Type": "application/json", "Set-Cookie": ["a=1", "b=2"]}}},
     {"priority": 1, "request": {"method": "POST", "urlPath": "/orders", "queryParameters": {"dry": {"equalTo": "yes"},
       "page": {"matches": "[0-9]{2}"}}, "headers": {"X-Tenant": {"matches": "t-.+"}, "Accept": {"contains": "json"}},
       "bodyPatterns": [{"equalToJson": {"a": [1, 2]}}]},
      "response": {"status": 201, "body": "made", "fixedDelayMilliseconds": 20}},
     {"request": {"method": "ANY", "url": "/bytes?x=1"}, "response": {"base64Body": "AP8=",
       "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 100}}},
     {"request": {"url": "/gone"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}},
     {"scenarioName": "job", "requiredScenarioState": "Started", "newScenarioState": "done",
      "request": {"method": "GET", "url": "/job"}, "response": {"status": 202}},
     {"scenarioName": "job", "requiredScenarioState": "done",
      "request": {"method": "GET", "url": "/job"}, "response": {"status": 200, "body": "result"}}
    ]}
    """#

  @Test func stubsAnswerAsInWireMock() async throws {
    let imported = try await read(Self.stubs)
    #expect(imported.notes.isEmpty)
    let replay = try ReplayTransport(imported.scenario)
    let pipeline = Pipeline(over: replay) {}
    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, _ fields: HTTPFields = [:])
      async throws -> String
    {
      let response = try await pipeline.send(
        Request(
          method,
          "http://localhost:8080" + path,
          fields: fields,
          body: body.map { .bytes(Bytes($0)) } ?? .empty
        )
      )
      return try await "\(response.status.code) \(String(decoding: response.body.collect(upTo: 1000)))"
    }
    #expect(try await send(.get, "/users/4711") == #"200 {"id":7,"n":1.0}"#)
    #expect(try await send(.get, "/users/4711") == #"200 {"id":7,"n":1.0}"#)
    let fields: HTTPFields = [
      .init("X-Tenant")!: "t-1", .accept: "application/json", .contentType: "application/json",
    ]
    #expect(try await send(.post, "/orders?page=42&dry=yes", #"{ "a": [1,2] }"#, fields) == "201 made")
    await #expect(throws: ExchangeError.self) {
      try await send(.post, "/orders?page=4&dry=yes", #"{"a":[1,2]}"#, fields)
    }
    await #expect(throws: ExchangeError.self) {
      try await send(.post, "/orders?page=42&dry=yes", #"{"a":[2]}"#, fields)
    }
    await #expect(throws: ExchangeError.self) { try await send(.get, "/users/x") }
    // The query counts where it is given, and where the pattern is for all of the URL.
    #expect(try await send(.get, "/users/8?page=2").hasPrefix("200"))
    #expect(try await send(.post, "/orders?b=1&page=42&dry=yes&a=2", #"{"a":[1,2]}"#, fields) == "201 made")
    await #expect(throws: ExchangeError.self) {
      try await send(.post, "/orders?page=42", #"{"a":[1,2]}"#, fields)
    }
    for target in ["/bytes", "/bytes?x=1&y=2", "/bytes?x=2", "/gone?x"] {
      await #expect(throws: ExchangeError.self, "\(target)") { try await send(.put, target) }
    }
    #expect(try await send(.put, "/bytes?x=1", "anything").hasPrefix("200"))
    #expect(try await send(.get, "/job") == "202 ")
    #expect(try await send(.get, "/job") == "200 result")
    let reset = try await #require(throws: ExchangeError.self) { try await send(.get, "/gone") }
    #expect(reset.kind == .connectionReset)
    try replay.finish()
  }

  @Test func whatHasNoRuleIsTold() async throws {
    let imported = try await read(
      #"""
      [{"request": {"method": "GET", "urlPath": "/a", "cookies": {"a": {"equalTo": "1"}},
         "headers": {"X": {"doesNotMatch": "y"}}, "bodyPatterns": [{"matchesJsonPath": "$.a"}]},
        "response": {"transformers": ["response-template"],
         "delayDistribution": {"type": "uniform", "lower": 10, "upper": 30}}},
       {"request": {"urlPattern": "("}, "response": {}}, {"request": {"urlPattern": ".*"}, "response": {}},
       {"request": {"url": "/p"}, "response": {"proxyBaseUrl": "http://other.test"}}]
      """#
    )
    #expect(imported.scenario.exchanges.count == 2)
    #expect(imported.scenario.exchanges[0].request.target.hasPrefix("{api}/"))
    #expect(imported.scenario.exchanges[1].reply.head?.time == .milliseconds(20))
    #expect(
      imported.notes == [
        "1 exchange was left out: it passes requests on (proxyBaseUrl)",
        "1 exchange was left out: there is no path for the regular expression of its URL",
        "1 exchange lost the pattern headers.doesNotMatch, for which there is no rule",
        "1 exchange lost the pattern bodyPatterns.matchesJsonPath, for which there is no rule",
        "1 exchange lost the pattern cookies, for which there is no rule",
        "1 exchange lost its transformers: the text of a template stays as it is",
        "1 exchange lost the distribution of its delay; its middle is taken",
      ]
    )
  }

  @Test func bodyFilesLieInTheirFolder() async throws {
    let folder = try ScratchDirectory()
    let stub = { (name: String) in #"{"request": {"url": "/"}, "response": {"bodyFileName": "\#(name)"}}"# }
    for inner in ["__files/sub", "mappings"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/\(inner)",
        withIntermediateDirectories: true
      )
    }
    try Data("body".utf8).write(to: URL(filePath: "\(folder.path)/__files/sub/a.txt"))
    try Data("out".utf8).write(to: URL(filePath: "\(folder.path)/out.txt"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/__files/link.txt",
      withDestinationPath: "\(folder.path)/out.txt"
    )
    for place in ["stub.json", "mappings/stub.json"] {
      let path = "\(folder.path)/\(place)"
      let imported = try await read(stub("sub/a.txt"), of: path)
      #expect(imported.scenario.exchanges[0].reply.body?.bytes == "body")
      for name in ["../out.txt", "sub/../../out.txt", "/etc/hosts", "link.txt", "none.txt", ""] {
        await #expect(throws: ScenarioError.self, "\(name)") { try await read(stub(name), of: path) }
      }
    }
  }

  @Test(arguments: [
    (#"{"mappings": [{"response": {}}]}"#, 1), ("{\"request\": {},\n\"response\": {\"status\": 42}}", 2),
    ("{\"request\": {\"url\": \"/\"},\n\"response\": {\"fault\": \"MOON\"}}", 2),
    ("{\"request\": {\"url\": \"/\"},\n\"response\": {\"base64Body\": \"%\"}}", 2),
    ("{\"request\": {\"url\": \"a\"},\"response\": {}}", 1),
  ])
  func brokenMappingsAreErrorsWithALine(_ text: String, _ line: Int) async throws {
    let error = try await #require(throws: ScenarioError.self) { try await read(text) }
    #expect(error.kind == .invalid && error.line == line, "\(error)")
  }
}
