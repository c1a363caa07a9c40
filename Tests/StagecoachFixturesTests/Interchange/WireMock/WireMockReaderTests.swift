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

  @Test func notesPatternsWithoutARule() async throws {
    let imported = try await read(
      #"""
      [{"request": {"method": "GET", "urlPath": "/a", "multipartPatterns": [{}], "clientIp": {"equalTo": "10.0.0.1"},
         "headers": {"X": {"doesNotMatch": "y"}, "Y": {"matches": "(?!a).*"}},
         "bodyPatterns": [{"matchesXPath": "//a"}, {"matchesJsonPath": "$..a"}]},
        "response": {"transformers": ["response-template"],
         "delayDistribution": {"type": "uniform", "lower": 10, "upper": 30}},
        "postServeActions": [{"name": "webhook"}]},
       {"request": {"urlPattern": "("}, "response": {}}, {"request": {"urlPattern": ".*"}, "response": {}},
       {"request": {"url": "x"}, "response": {}}, {"request": {"url": "/t"}, "response": {"bodyFileName": "{{a}}"}},
       {"request": {"url": "/s"}, "response": {"status": 42}},
       {"request": {"url": "/p"}, "response": {"proxyBaseUrl": "http://other.test"}}]
      """#
    )
    #expect(imported.scenario.exchanges.count == 2)
    #expect(imported.scenario.exchanges[0].request.target.hasPrefix("{api}/"))
    #expect(imported.scenario.exchanges[1].reply.head?.time == .milliseconds(20))
    let reason =
      "cannot generate a text for the regular expression '(?!a).*': the regular expression '(?!a).*' is not "
      + "supported - it has look-ahead at offset 2; write it without"
    #expect(
      imported.notes == [
        "1 exchange was left out: it passes requests on (proxyBaseUrl)",
        "1 exchange was left out: stubs.json:9: [5].response.status: expected a status from 200 to 999",
        "1 exchange was left out: the name of its file is a template ({{a}})",
        "1 exchange was left out: no request has the URL \"x\", which does not begin with /",
        "1 exchange was left out: '(' is not a valid regular expression - an open group at offset 1",
        "1 exchange lost its transformers: the text of a template stays as it is",
        "1 exchange lost the distribution of its delay; its middle is taken",
        "1 exchange lost the pattern bodyPatterns.matchesJsonPath ($..a), for which there is no rule",
        "1 exchange lost the pattern bodyPatterns.matchesXPath, for which there is no rule",
        "1 exchange lost the pattern clientIp, for which there is no rule",
        "1 exchange lost the pattern headers.doesNotMatch, for which there is no rule",
        "1 exchange lost the pattern headers.matches (\(reason)), for which there is no rule",
        "1 exchange lost the pattern multipartPatterns, for which there is no rule",
        "1 exchange lost its postServeActions",
      ]
    )
  }

  /// Patterns with a request that they match and some that they do not: method, target, fields and content.
  @Test(arguments: [
    (#"{"method": "GET_OR_HEAD", "url": "/u"}"#, ["HEAD /u", "GET /u"], ["POST /u", "GET /u?a=1"]),
    (#"{}"#, ["PUT /any?x=1 {}"], []),
    (
      #"{"url": "/u", "headers": {"A": {"equalTo": "b.C", "caseInsensitive": true}}}"#, ["GET /u A:B.c"],
      ["GET /u A:bxc"]
    ),
    (
      #"{"url": "/u", "headers": {"A": {"or": [{"equalTo": "b"}, {"matches": "c+"}]}}}"#,
      ["GET /u A:b", "GET /u A:cc"],
      ["GET /u A:d"]
    ),
    (
      #"{"urlPath": "/u", "queryParameters": {"a": {"hasExactly": [{"equalTo": "1"}, {"equalTo": "2"}]}}}"#,
      ["GET /u?a=1&b=3&a=2"], ["GET /u?a=1", "GET /u?a=1&a=3"]
    ),
    (
      #"{"url": "/u", "cookies": {"a": {"equalTo": "1"}, "b": {"contains": "x"}}}"#,
      ["GET /u Cookie:z=0;b=1x2;a=1"], ["GET /u Cookie:a=1", "GET /u Cookie:aa=1;b=x", "GET /u"]
    ),
    (
      #"{"urlPathTemplate": "/u/{id}/c", "pathParameters": {"id": {"matches": "[0-9]+"}}}"#, ["GET /u/12/c"],
      ["GET /u/x/c", "GET /u/1/2/c"]
    ),
    (
      #"{"urlPattern": "/u\\?a=[0-9]+&b=(x|y).*"}"#, ["GET /u?a=5&b=x", "GET /u?a=12&b=y&c=1"],
      ["GET /u?a=z&b=x", "GET /u"]
    ),
    (#"{"urlPattern": "/u/.*"}"#, ["GET /u/a/b", "GET /u/?q=1"], ["GET /v"]),
    (
      #"{"url": "/u", "formParameters": {"a": {"equalTo": "1"}, "b c": {"matches": "[x]+"}}}"#,
      ["POST /u Content-Type:application/x-www-form-urlencoded b+c=xx&a=1&d=2"],
      ["POST /u Content-Type:application/x-www-form-urlencoded a=1&b+c=y"]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"contains": "\"a\""}, {"matches": ".*1.*"}]}"#, [#"POST /u {"a":1}"#],
      [#"POST /u {"a":2}"#, #"POST /u {"b":1}"#]
    ),
    (
      #"{"url": "/u", "headers": {"Content-Type": {"equalTo": "application/json"}}, "bodyPatterns": [{"contains": "x"}]}"#,
      [#"POST /u Content-Type:application/json {"a":"x"}"#],
      [#"POST /u Content-Type:application/json {"a":"y"}"#]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"equalToJson": {"a": [1, {"b": [2, 3]}]}, "ignoreArrayOrder": true}]}"#,
      [#"POST /u {"a":[{"b":[3,2]},1]}"#],
      [
        #"POST /u {"a":[{"b":[3,2]},1,4]}"#, #"POST /u {"a":[{"b":[3,2]},1],"c":0}"#,
        #"POST /u {"a":[{"b":[3]},1]}"#,
      ]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"equalToJson": "{\"a\": {\"b\": [1]}}", "ignoreExtraElements": true}]}"#,
      [#"POST /u {"z":0,"a":{"b":[1,2],"c":[]}}"#],
      [#"POST /u {"a":{"b":[2]}}"#, #"POST /u {"a":{}}"#, "POST /u []"]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"equalToJson": {"a": [1, 2]}, "ignoreArrayOrder": true, "ignoreExtraElements": true}]}"#,
      [#"POST /u {"b":0,"a":[3,2,1]}"#], [#"POST /u {"a":[3,2]}"#]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"equalToJson": {"a": "${json-unit.any-string}", "b": "${json-unit.regex}[0-9]+", "c": "${json-unit.ignore}", "d": "${json-unit.any-number}"}}]}"#,
      [#"POST /u {"a":"x","b":"5","c":[1],"d":7}"#], [#"POST /u {"a":1,"b":"5","c":0,"d":7}"#]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"matchesJsonPath": "$.a.b"}, {"matchesJsonPath": "$.a"}, {"matchesJsonPath": {"expression": "$.n", "equalTo": "5"}}]}"#,
      [#"POST /u {"a":{"b":[],"c":1},"n":5}"#, #"POST /u {"n":"5","a":{"b":null}}"#],
      [#"POST /u {"a":{"c":1},"n":5}"#, #"POST /u {"a":{"b":1},"n":6}"#]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"matchesJsonPath": "$.a[?(@.n == 'x' && @.m =~ /[a-z]+/i)]"}]}"#,
      [#"POST /u {"a":[{"n":"y"},{"o":1,"n":"x","m":"Ab"}]}"#], [#"POST /u {"a":[{"n":"x","m":"1"}]}"#]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"matchesJsonPath": "$[?(@.n == 5)]"}]}"#, [#"POST /u {"n":5,"m":1}"#],
      [#"POST /u {"n":6}"#]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"equalToXml": "<a><b/></a>"}]}"#,
      ["POST /u Content-Type:text/xml <a><b></b></a>"],
      ["POST /u Content-Type:text/xml <a/>"]
    ),
    (
      #"{"url": "/u", "basicAuthCredentials": {"username": "a", "password": "b"}, "bodyPatterns": [{"absent": true}]}"#,
      ["GET /u Authorization:Basic#YTpi"], ["GET /u"]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"equalToXml": "<a b='${xmlunit.ignore}'><c>${xmlunit.ignore}</c></a>"}]}"#,
      ["POST /u <a\tb='1'><c>x</c></a>"], ["POST /u <a><c>x</c></a>", "POST /u <a\tb='1'><d>x</d></a>"]
    ),
    (#"{"url": "/u", "bodyPatterns": [{"absent": true}]}"#, ["POST /u"], ["POST /u x"]),
    (
      #"{"urlPattern": "/u/[0-9]+(\\?.*)?"}"#, ["GET /u/12", "GET /u/12?a=1&b=2"],
      ["GET /u/x", "GET /u/12/c"]
    ),
    (#"{"urlPattern": "/u\\?(.*)"}"#, ["GET /u?a=1"], ["GET /v?a=1"]),
    // As Spring Cloud Contract writes them.
    (
      #"{"url": "/u", "bodyPatterns": [{"matchesJsonPath": "$[?(@.['a'].['b'] =~ /[a-z]+/)]"}]}"#,
      [#"POST /u {"a":{"b":"xy"},"c":1}"#], [#"POST /u {"a":{"b":"1"}}"#, #"POST /u {"a":"xy"}"#]
    ),
    (
      #"{"url": "/u", "bodyPatterns": [{"matchesJsonPath": "$.['a'].['l'][*][?(@.['x'] == 'y')]"}]}"#,
      [#"POST /u {"a":{"l":[{"x":"z"},{"x":"y"}]}}"#],
      [#"POST /u {"a":{"l":[{"x":"z"}]}}"#, #"POST /u {"a":{}}"#]
    ),
  ])
  func patternsMatchAsInWireMock(request: String, matching: [String], others: [String]) async throws {
    let file = ForeignFile(path: "stub.json", bytes: Array(#"{"request": \#(request)}"#.utf8))
    let imported = try await WireMockReader.scenario(in: [(file.json(), file)])
    #expect(imported.notes == [])
    let pipeline = Pipeline(over: try ReplayTransport(imported.scenario)) {}
    for (lines, isMatch) in [(matching, true), (others, false)] {
      for line in lines {
        var parts = line.split(separator: " ").map(String.init)[...]
        let (method, target) = (parts.removeFirst(), parts.removeFirst())
        var fields: HTTPFields = [:]
        if let part = parts.first, let colon = part.firstIndex(of: ":"), !part.hasPrefix("{") {
          fields[try #require(HTTPField.Name(String(part[..<colon])))] = String(
            part[part.index(after: colon)...]
          )
          .replacing("#", with: " ")
          parts.removeFirst()
        }
        let request = Request(
          try #require(HTTPRequest.Method(method)),
          "http://localhost:8080\(target)",
          fields: fields,
          body: parts.first.map { .bytes(Bytes($0)) } ?? .empty
        )
        if isMatch {
          let response = try await pipeline.send(request)
          let content = try await response.body.collect(upTo: 10)
          #expect(response.status == .ok && content.isEmpty, "\(line)")
        } else {
          await #expect(throws: ExchangeError.self, "\(line)") { try await pipeline.send(request) }
        }
      }
    }
  }

  @Test func acceptsWhatWireMockAccepts() async throws {
    let text = #"""
      {"mappings": [
       {"priority": "2", "request": {"url": "/a"}, "response": {"body": "later", "fixedDelayMilliseconds": "20"}},
       {"priority": 1, "request": {"url": "/a"}, "response": {"body": "first", "headers": {"A": 1, "B": null},
         "delayDistribution": {"type": "fixed", "milliseconds": 30}}}
      ], "meta": {"total": 2}}
      """#
    let imported = try await read(text)
    #expect(imported.notes == [])
    let replies = imported.scenario.exchanges.map(\.reply)
    #expect(replies.map { $0.body?.bytes } == ["first", "later"])
    #expect(replies.map { $0.head?.time } == [.milliseconds(30), .milliseconds(20)])
    #expect(replies[0].head?.response.headerFields == [HTTPField.Name("A")!: "1"])
  }

  @Test func aProjectIsReadWhole() async throws {
    let folder = try ScratchDirectory()
    func write(_ name: String, _ text: String) throws {
      let file = URL(filePath: "\(folder.path)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
    }
    let stub = { (url: String) in
      #"{"request": {"url": "\#(url)"}, "response": {"bodyFileName": "user.json"}}"#
    }
    try write("wiremock/__files/user.json", "first")
    try write("wiremock/mappings/top.json", stub("/top"))
    try write("wiremock/mappings/users/deep/get.json", stub("/deep"))
    try write("wiremock/mappings/any.json", #"{"priority": 9, "response": {"body": "any"}}"#)
    try write("wiremock/mappings/broken.json", "{")
    try write("other/__files/user.json", "second")
    try write("other/mappings/all.json", #"{"mappings": [\#(stub("/other")), {"request": {"url": "/n"}}]}"#)
    try write("package.json", #"{"request": {"url": "/none"}}"#)
    for place in ["", "/"] {
      let imported = try await InterchangeFormat.scenario(inFolder: folder.path + place)
      let notes = imported.notes.map { $0.replacing(folder.path, with: "") }
      #expect(
        notes.count == 1 && notes[0].hasPrefix("left out: /wiremock/mappings/broken.json:1: Invalid JSON"),
        "\(notes)"
      )
      let contents = imported.scenario.exchanges.map { String(decoding: $0.reply.body?.bytes ?? "") }
      #expect(contents == ["first", "first", "", "second", "any"])
      #expect(
        imported.scenario.exchanges.map(\.request.target) == [
          "{api}/deep", "{api}/top", "{api}/n", "{api}/other", "{api}/",
        ]
      )
    }
    // A part of a project, and a file of it.
    let part = try await InterchangeFormat.scenario(inFolder: folder.path + "/other/mappings")
    #expect(part.scenario.exchanges.count == 2 && part.scenario.exchanges[1].reply.body?.bytes == "second")
    let single = try await read(stub("/x"), of: folder.path + "/wiremock/mappings/users/x.json")
    #expect(single.scenario.exchanges[0].reply.body?.bytes == "first")
    await #expect(throws: ScenarioError.self) {
      try await InterchangeFormat.scenario(inFolder: folder.path + "/wiremock/__files")
    }
  }

  @Test func commentsAreAllowed() async throws {
    let text = """
      { // a comment with "quotes"
        "request": {"url": "/a//b" /* and
        another */}, "response": {"body": "// none", "status": 1}
      }
      """
    let error = try await #require(throws: ScenarioError.self) { try await read(text) }
    #expect(error.line == 3)
    let imported = try await read(text.replacing("1}", with: "201}"))
    #expect(imported.scenario.exchanges.map(\.request.target) == ["{api}/a//b"])
    #expect(imported.scenario.exchanges.map { $0.reply.body?.bytes } == ["// none"])
    await #expect(throws: ScenarioError.self) { try await read("{ // \n /") }
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
      let slash = try await read(stub("/sub/a.txt"), of: path)
      #expect(slash.scenario.exchanges[0].reply.body?.bytes == "body")
      for name in ["../out.txt", "sub/../../out.txt", "/etc/hosts", "link.txt", "none.txt", ""] {
        await #expect(throws: ScenarioError.self, "\(name)") { try await read(stub(name), of: path) }
      }
    }
  }

  @Test(arguments: [
    ("{\"request\": {},\n\"response\": {\"status\": 42}}", 2),
    ("{\"request\": {\"url\": \"/\"},\n\"response\": {\"fault\": \"MOON\"}}", 2),
    ("{\"request\": {\"url\": \"/\"},\n\"response\": {\"base64Body\": \"%\"}}", 2),
    ("{\"request\": {\"url\": \"/\",\n\"method\": \"a b\"},\"response\": {}}", 2),
  ])
  func brokenMappingsAreErrorsWithALine(_ text: String, _ line: Int) async throws {
    let error = try await #require(throws: ScenarioError.self) { try await read(text) }
    #expect(error.kind == .invalid && error.line == line, "\(error)")
  }

  @Test(arguments: ["-1", "\"-1\"", "9223372036854775807", "\"9223372036854775807\"", "\"x\""])
  func aDelayThatIsNoneIsRefused(_ delay: String) async throws {
    let text = #"{"request": {"url": "/a"}, "response": {"fixedDelayMilliseconds": \#(delay)}}"#
    let error = try await #require(throws: ScenarioError.self) { try await read(text) }
    #expect("\(error)".contains("expected milliseconds"), "\(error)")
  }
}
