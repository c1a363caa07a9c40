import Foundation
import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport
import Testing

@testable import StagecoachFixtures

struct VerificationTests {
  @Test func requestsAreSentInOrderAsRecorded() async throws {
    var scenario = contractScenario(
      contractExchange("01", "{api}/jobs?b=2&a=1", body: #"{"n":1}"#, answer: "{}"),
      contractExchange("02", "{api}/jobs/1", answer: "{}")
    )
    scenario.origins = [.init(name: "api", origin: "https://api.example.com/v1")]
    scenario.exchanges[0].request.fields = [
      .contentType: "application/json", .contentLength: "99", .accept: "*/*",
    ]
    scenario.exchanges[0].request.body?.codings = ["gzip"]
    let live = service("{}")
    #expect(try await Verification([scenario], against: live, base: "http://localhost:1/v2/").run().isAgreed)
    let sent = live.requests
    #expect(sent.map { $0.head.path } == ["/v2/jobs?b=2&a=1", "/v2/jobs/1"])
    #expect(sent.map(\.method) == [.post, .get] && sent[0].head.authority == "localhost:1")
    #expect(sent[0].fields == [.contentType: "application/json", .accept: "*/*"])
    #expect(sent[0].body.bytes?.array.prefix(2) == [0x1f, 0x8b])

    let recorded = service("{}")
    #expect(try await Verification([scenario], against: recorded).run().isAgreed)
    #expect(recorded.requests.first?.head.authority == "api.example.com")
    #expect(recorded.requests.first?.head.path == "/v1/jobs?b=2&a=1")
  }

  @Test func noTargetLeadsToAnotherHost() async throws {
    let targets = [
      "{api}@elsewhere/a", "{api}", "/login?next=http://elsewhere/", "http://old?x=http://elsewhere/",
      "//elsewhere/a",
    ]
    for target in targets {
      var scenario = contractScenario(contractExchange("01", target, answer: "{}"))
      scenario.origins = [.init(name: "api", origin: "http://old")]
      let live = service("{}")
      _ = try await Verification([scenario], against: live, base: "http://service").run()
      #expect(live.requests.map { $0.head.authority } == ["service"], "\(target)")
    }
    let interaction = ContractInteraction(
      id: "1",
      title: "a trap",
      source: "pact.json",
      request: Scenario.Request("GET", "http://elsewhere/a"),
      expected: ComparedResponse(status: 200)
    )
    let live = service("{}")
    _ = try await Verification([interaction], against: live, base: "http://service").run()
    #expect(live.requests.map { $0.head.authority } == ["service"])
  }

  #if ContentCoding
    @Test func codedRepliesAreDecoded() async throws {
      let coded = try #require(StoredCoding.encode(Array(#"{"a":1}"#.utf8), as: "gzip"))
      let live = HandlerTransport { _ in
        Response(
          .ok,
          fields: [.contentType: "application/json", .contentEncoding: "gzip"],
          body: .bytes(Bytes(coded))
        )
      }
      #expect(try await verify(contractExchange(answer: #"{"a":1}"#), against: live).outcome == .agreed)
    }
  #endif

  @Test func partsOfDocumentsAreComparedByteForByte() async throws {
    let part = contractExchange(status: 206, answer: #"itle":"a"#)
    #expect(try await verify(part, against: service(status: 206, #"itle":"a"#)).outcome == .agreed)
    #expect(try await verify(part, against: service(status: 206, #"itle":"b"#)).outcome == .broken)
  }

  @Test func givenFieldsReplaceRecordedOnes() async throws {
    var scenario = contractScenario(
      contractExchange("01", answer: "{}"),
      contractExchange("02", answer: "{}")
    )
    scenario.exchanges[1].request.fields = [.authorization: "Bearer old"]
    let live = service("{}")
    var verification = try Verification([scenario], against: live)
    verification.fields = [.authorization: "Bearer new", .userAgent: "verifier"]
    _ = try await verification.run()
    // The first request has no credentials, since its reply is a challenge, say.
    #expect(live.requests.map { $0.fields[.authorization] } == [nil, "Bearer new"])
    #expect(live.requests.map { $0.fields[.userAgent] } == ["verifier", "verifier"])
  }

  @Test func fieldsAreAddedToAllRequestsOfAPactFile() async throws {
    var one = ContractInteraction(
      id: "1",
      title: "one",
      source: "pact.json",
      request: Scenario.Request("GET", "/1", fields: [.authorization: "Bearer old"]),
      expected: ComparedResponse(status: 200)
    )
    let live = service("{}")
    var interactions = [one]
    (one.id, one.request.fields) = ("2", [:])
    interactions.append(one)
    var verification = Verification(interactions, against: live)
    verification.fields[.authorization] = "Bearer new"
    _ = try await verification.run()
    #expect(live.requests.map { $0.fields[values: .authorization] } == [["Bearer new"], ["Bearer new"]])
  }

  @Test func repeatsValuesThatTheServiceMadeUp() async throws {
    var login = contractExchange("01", body: "{}", answer: #"{"access_token":"SECRET-ACCESS_TOKEN-1"}"#)
    login.reply.head?.response.headerFields[.eTag] = "\"recorded\""
    login.reply.head?.response.headerFields[.setCookie] = "sid=SECRET-SID-1; Path=/"
    var page = contractExchange("02", status: 304, answer: "")
    page.reply.body = nil
    page.request.fields = [
      .authorization: "Bearer SECRET-ACCESS_TOKEN-1", .cookie: "sid=SECRET-SID-1",
      .ifNoneMatch: "\"recorded\"",
    ]
    let live = HandlerTransport { request in
      guard request.method == .get else {
        let fields: HTTPFields = [
          .contentType: "application/json", .eTag: "\"today\"", .setCookie: "sid=c00kie-0f-today; Path=/",
        ]
        return Response(.ok, fields: fields, body: .bytes(#"{"access_token":"t0ken-0f-today"}"#))
      }
      let isKnown =
        request.fields[.authorization] == "Bearer t0ken-0f-today"
        && request.fields[.cookie] == "sid=c00kie-0f-today" && request.fields[.ifNoneMatch] == "\"today\""
      return Response(isKnown ? .notModified : .ok, fields: [.contentType: "application/json"])
    }
    let report = try await Verification([contractScenario(login, page)], against: live).run()
    #expect(report.isAgreed && report.exchanges.allSatisfy { $0.warnings.isEmpty }, "\(report)")
    for format in VerificationReport.FileFormat.allCases {
      #expect(!String(decoding: report.serialized(as: format), as: UTF8.self).contains("0f-today"))
    }
  }

  @Test func redirectsAreNotFollowed() async throws {
    let moved = contractExchange("01", status: 302, fields: [.location: "http://service/b"], answer: "{}")
    let scenario = contractScenario(moved)
    func outcome(_ location: String) async throws -> VerificationReport.Outcome {
      let live = service(status: 302, fields: [.location: location], "{}")
      return try await Verification([scenario], against: live, base: "http://new").run().exchanges[0].outcome
    }
    #expect(try await outcome("http://new/b") == .agreed)
    #expect(try await outcome("/b") == .agreed)
    #expect(try await outcome("http://new/c") == .broken)
  }

  @Test func statesAreSetUpAndTornDown() async throws {
    let log = Mutex<[String]>([])
    @Sendable func note(_ text: String) { log.withLock { $0.append(text) } }
    var interaction = ContractInteraction(
      id: "1",
      title: "a user",
      source: "pact.json",
      request: Scenario.Request("GET", "/users/0?page=1"),
      expected: ComparedResponse(status: 200)
    )
    interaction.states = [ProviderState("a user", parameters: ["name": "Ada"]), ProviderState("unknown")]
    interaction.requestGenerators = [
      GeneratorRule(.path, .providerState(expression: "/users/${id}")),
      GeneratorRule(.query, at: RulePath([.key("page")]), .providerState(expression: "${page}")),
    ]
    let live = service("{}")
    var verification = Verification([interaction], against: live, base: "http://service")
    verification.states["a user"] = ProviderStateHandler { parameters in
      note("up \(parameters["name"]?.stringValue ?? "")")
      return ["id": 42, "page": "a b"]
    } tearDown: { _ in
      note("down")
    }
    let result = try await verification.run().exchanges[0]
    #expect(result.outcome == .agreed)
    #expect(result.warnings == [#"there is no handler for the provider state "unknown""#])
    #expect(log.withLock { $0 } == ["up Ada", "down"])
    #expect(live.requests.first?.head.path == "/users/42?page=a%20b")

    struct Refused: Error {}
    verification.states["a user"] = ProviderStateHandler { _ in
      throw Refused()
    } tearDown: { _ in
      note("never")
    }
    let failed = try await verification.run().exchanges[0]
    #expect(failed.outcome == .broken && live.requests.count == 1)
    #expect(
      failed.differences.first?.message.hasPrefix("State change request failed: set-up of \"a user\"") == true
    )
    #expect(log.withLock { $0 } == ["up Ada", "down"])
  }

  @Test func setsUpOnlyStatesThatNoExchangeSets() async throws {
    var (login, page) = (contractExchange("01", answer: "{}"), contractExchange("02", answer: "{}"))
    login.requires = [.init(name: "user", value: "ada")]
    login.sets = [.init(name: "session", value: "open")]
    page.requires = [.init(name: "session", value: "open")]
    var verification = try Verification([contractScenario(login, page)], against: service("{}"))
    #expect(verification.interactions.map { $0.states.map(\.name) } == [["user"], []])
    verification.states["user"] = ProviderStateHandler { parameters in
      #expect(parameters["value"] == "ada")
      return [:]
    }
    let report = try await verification.run()
    #expect(report.isAgreed && report.exchanges.allSatisfy { $0.warnings.isEmpty })
  }

  @Test func pendingInteractionsDoNotFail() async throws {
    var interaction = ContractInteraction(
      id: "1",
      title: "soon",
      source: "pact.json",
      request: Scenario.Request("GET", "/"),
      expected: ComparedResponse(status: 201)
    )
    interaction.isPending = true
    let report = try await Verification([interaction], against: service("{}")).run()
    #expect(report.isAgreed && report.exchanges[0].outcome == .pending)
    #expect(report.exchanges[0].differences.count == 1)
    let refusing = HandlerTransport { _ in throw ExchangeError(.connectionRefused, "nobody listens") }
    #expect(try await Verification([interaction], against: refusing).run().isUnanswered)
  }

  @Test func whatCannotBeComparedIsSkipped() async throws {
    var (cut, omitted) = (
      contractExchange("01", answer: "{}"), contractExchange("02", body: "", answer: "{}")
    )
    cut.reply.outcome = .init(.truncated)
    omitted.request.body?.omission = .init(bytes: 9, reason: "too long")
    let other = contractExchange("03", "http://elsewhere/", answer: "{}")
    let live = service("{}")
    let report = try await Verification([contractScenario(cut, omitted, other)], against: live).run()
    #expect(report.exchanges.map(\.outcome) == [.skipped, .skipped, .skipped] && live.requests.isEmpty)
    #expect(
      report.exchanges.map { $0.warnings.joined() } == [
        "the recorded reply is not complete (truncated)",
        "the content of the request was not recorded: too long",
        "it is with another origin than the first exchange",
      ]
    )
    #expect(!report.isAgreed && !report.isUnanswered)
  }

  @Test func aServiceThatDoesNotAnswerEndsTheVerification() async throws {
    let refusing = HandlerTransport { _ in throw ExchangeError(.connectionRefused, "nobody listens") }
    let scenario = contractScenario(
      contractExchange("01", answer: "{}"),
      contractExchange("02", answer: "{}")
    )
    let report = try await Verification([scenario], against: refusing).run()
    #expect(report.exchanges.map(\.outcome) == [.unanswered, .skipped] && refusing.requests.count == 1)
    #expect(report.isUnanswered && !report.isAgreed)
    #expect(report.exchanges[0].differences[0].message == "nobody listens")
  }

  @Test func reportsATimeout() async throws {
    let live = HandlerTransport { _ in
      try await sleepUntilCancelled()
      return Response(.ok)
    }
    var verification = try Verification([contractScenario(contractExchange(answer: "{}"))], against: live)
    verification.timeout = .milliseconds(200)
    let report = try await verification.run()
    #expect(report.exchanges.map(\.outcome) == [.unanswered])
    #expect(report.exchanges[0].differences[0].message == "no complete reply came within 200 ms")
  }

  @Test func reportsACutReply() async throws {
    let count = Counter()
    let live = HandlerTransport { _ in
      guard count.add() == 1 else {
        return Response(.ok, fields: [.contentType: "application/json"], body: .bytes("{}"))
      }
      let chunks = AsyncThrowingStream<Bytes, any Error> { continuation in
        continuation.yield("{")
        continuation.finish(throwing: ExchangeError(.incompleteBody, "the body was cut"))
      }
      return Response(.ok, fields: [.contentType: "application/json"], body: .init(chunks))
    }
    var scenario = contractScenario()
    scenario.exchanges = ["01", "02"].map { contractExchange($0, answer: "{}") }
    let report = try await Verification([scenario], against: live).run()
    #expect(report.exchanges.map(\.outcome) == [.broken, .agreed])
    #expect(report.exchanges[0].differences[0].message.contains("the body was cut"))
    #expect(!report.isUnanswered)
  }

  @Test func aCancelledVerificationEnds() async throws {
    let (arrived, continuation) = AsyncStream.makeStream(of: Void.self)
    let live = HandlerTransport { _ in
      continuation.finish()
      try await sleepUntilCancelled()
      return Response(.ok)
    }
    let verification = try Verification([contractScenario(contractExchange(answer: "{}"))], against: live)
    let task = Task { try await verification.run() }
    for await _ in arrived {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func selectionsNarrowTheExchanges() async throws {
    var (one, two) = (
      contractExchange("01", "http://a/x", answer: "1"), contractExchange("02", "http://a/y", answer: "2")
    )
    two.requires = [.init(name: "s", value: nil)]
    one.expect = [.init("status", "number")]
    let live = service("1")
    func ids(_ change: (inout Verification) throws -> Void) throws -> [String] {
      var verification = try Verification([contractScenario(one, two)], against: live)
      try change(&verification)
      return verification.interactions.map(\.id)
    }
    #expect(try ids { $0.keep(mentioning: "01") } == ["01"])
    #expect(try ids { $0.keep(mentioning: "GET /y") } == ["02"])
    let report = try await Verification([contractScenario(one, two)], against: live).run()
    #expect(report.exchanges.map(\.outcome) == [.agreed, .broken])
    let json = report.serialized(as: .json)
    #expect(try ids { try $0.keep(failedIn: json) } == ["02"])
    #expect(throws: JSONSyntaxError.self) { try ids { try $0.keep(failedIn: []) } }
    #expect(throws: VerificationReportError.self) { try ids { try $0.keep(failedIn: Array("{}".utf8)) } }
  }

  @Test func rulesThatAreMalformedAreErrors() throws {
    let exchange = contractExchange(answer: "{}", expect: [.init("body$.a", "uuid")])
    let error = try #require(throws: ScenarioError.self) {
      try Verification([contractScenario(exchange)], against: service("{}"))
    }
    #expect("\(error)".contains("expect of exchange 01: body$.a") && "\(error)".contains("uuid"))
    let folder = try ScratchDirectory()
    try contractScenario(exchange).write(folder: folder.path)
    let findings = try ScenarioLint(folder: folder.path).findings
    #expect(findings.count == 1 && findings[0].contains("expect of exchange 01"))
  }

  @Test func foldersAreFoundWithTheLinesOfTheirExchanges() async throws {
    let folder = try ScratchDirectory()
    #expect(throws: ScenarioError.self) { try Verification(contract: folder.path, against: service("")) }
    #expect(throws: ScenarioError.self) {
      try Verification(contract: folder.path + "/none", against: service(""))
    }
    let scenario = contractScenario(
      contractExchange("01", answer: "{}"),
      contractExchange("02", answer: "{}")
    )
    try scenario.write(folder: folder.path + "/b/c")
    try scenario.write(folder: folder.path + "/a")
    let verification = try Verification(contract: folder.path, against: service("{}"))
    #expect(verification.interactions.map(\.source) == ["/a", "/a", "/b/c", "/b/c"].map { folder.path + $0 })
    let manifest = try String(contentsOfFile: folder.path + "/a/scenario.json", encoding: .utf8)
    let lines = manifest.split(separator: "\n", omittingEmptySubsequences: false)
    for (interaction, id) in zip(verification.interactions, ["01", "02"]) {
      let line = try #require(interaction.line)
      #expect(lines[line - 1] == "    {" && lines[line].contains("\"id\": \"\(id)\""))
    }
  }
}
