import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures
import TestSupport
import Testing

struct ReplayTransportTests {
  /// An exchange of a GET, or of a POST if there is content.
  private func exchange(
    _ id: String,
    _ target: String,
    body: String? = nil,
    fields: HTTPFields = [:],
    answer: String
  ) -> Scenario.Exchange {
    let content = body.map { Scenario.Body(Bytes($0)) }
    let request = Scenario.Request(
      body == nil ? "GET" : "POST",
      "http://a\(target)",
      fields: fields,
      body: content
    )
    let head = Scenario.Head(HTTPResponse(status: .ok))
    return Scenario.Exchange(
      id: id,
      request: request,
      reply: Scenario.Reply(head, body: Scenario.Body(Bytes(answer)))
    )
  }

  private func replay(_ exchanges: Scenario.Exchange..., order: Scenario.Policy.Order = .any) throws
    -> ReplayTransport
  {
    var scenario = Scenario(title: "users")
    scenario.exchanges = exchanges
    scenario.policy.order = order
    return try ReplayTransport(scenario)
  }

  @Test func aDiagnosisKeepsItsLinesAsACause() async throws {
    let replay = try replay(exchange("01", "/a", answer: "ok"))
    let cause = try await #require(throws: ExchangeError.self) {
      try await answer(replay, Request(.get, "http://a/b"))
    }
    let between = ExchangeError(.invalidRequest, "no token", underlying: cause)
    let lines = "\(ExchangeError(.invalidRequest, "not signed in", underlying: between))".split(
      separator: "\n"
    )
    #expect(
      lines[0] == "not signed in [invalidRequest]" && lines[1] == "  cause:    no token [invalidRequest]"
    )
    #expect(lines[2].hasPrefix("    cause:    ReplayTransport: no exchange of"))
    #expect(lines.contains("        01  GET http://a/a"), "\(lines)")
  }

  @Test func namesCannotReorderADiagnosis() async throws {
    let content: Bytes = #"{"x": 1, "a\u202eb\u200fc\n  01  GET http://a/forged": 2}"#
    let json: HTTPFields = [.contentType: "application/json"]
    let replay = try replay(exchange("01", "/a", body: #"{"x": 1}"#, fields: json, answer: "ok"))
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await answer(replay, Request(.post, "http://a/a", fields: json, body: .bytes(content)))
    }
    #expect(error.message.contains("a b c"))
    #expect(!error.message.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{200f}" })
    #expect(!error.message.contains("\n  01  GET http://a/forged"))
  }

  private func answer(_ replay: ReplayTransport, _ request: Request) async throws -> String {
    let response = try await Pipeline(over: replay) {}.send(request)
    return String(decoding: try await response.body.collect(upTo: 1000))
  }

  private func message(_ replay: ReplayTransport, _ request: Request) async throws -> String {
    let error = try await #require(throws: ExchangeError.self) { try await answer(replay, request) }
    #expect("\(error.kind)" == "replay.unmatched")
    let list = error.message.split(separator: "\n").dropFirst().joined(separator: "\n  ")
    #expect("\(error)".contains(" [replay.unmatched]\n  \(list)\n"))
    return error.message
  }

  @Test func equalRequestsAreAnsweredInTheirOrder() async throws {
    let replay = try replay(exchange("01", "/job", answer: "wait"), exchange("02", "/job", answer: "done"))
    #expect(try await answer(replay, .get("http://a/job")) == "wait")
    #expect(replay.unused == ["02"])
    #expect(try await answer(replay, .get("http://a/job")) == "done")
    #expect(
      try await message(replay, .get("http://a/job")) == """
        no exchange of "users" answers GET http://a/job
          01  GET http://a/job
              equal, but it was used by request #1
          02  GET http://a/job
              equal, but it was used by request #2
        """
    )
    try replay.finish()
    #expect(replay.answered == ["01", "02"])
    replay.reset()
    #expect(try await answer(replay, .get("http://a/job")) == "wait")
  }

  @Test func theFieldsChooseAmongEqualRequests() async throws {
    let replay = try replay(
      exchange("01", "/a", answer: "401"),
      exchange("02", "/a", fields: [.range: "bytes=0-9"], answer: "206")
    )
    var request = Request.get("http://a/a")
    request.fields[.range] = "bytes=0-9"
    #expect(try await answer(replay, request) == "206")
  }

  @Test func ignoresTheOrderOfMembersAndParameters() async throws {
    let replay = try replay(exchange("01", "/a?x=1&y=2&x=3", body: #"{"a":1,"b":[1.0,2]}"#, answer: "ok"))
    let post = Request.post("http://a/a?y=2&x=1&x=3", body: .bytes(#"{"b": [1, 2], "a": 1}"#))
    #expect(try await answer(replay, post) == "ok")
  }

  @Test func differencesAreNamed() async throws {
    let replay = try replay(
      exchange("01", "/users/42?page=1", answer: ""),
      exchange("02", "/users", body: #"{"name":"Ada"}"#, answer: "")
    )
    let text = try await message(replay, .get("http://a/users/42?page=2&sort=name"))
    #expect(
      text == """
        no exchange of "users" answers GET http://a/users/42?page=2&sort=name
          01  GET http://a/users/42?page=1
              query page: Expected query parameter 'page' with value '1' but was '2'
              query sort: Unexpected query parameter 'sort' received
          02  POST http://a/users
              method: expected POST but was GET
              path: Expected '/users/42' to be equal to '/users'
              query page: Unexpected query parameter 'page' received
              query sort: Unexpected query parameter 'sort' received
              body $: Expected body Present(14 bytes) but was empty
        """
    )
  }

  @Test func timeAndRandomnessComeOutAsRecorded() async throws {
    struct Signs: Middleware {
      func handle(_ request: Request, next: Next) async throws -> Response {
        var request = request
        let nonce = request.exchange?.randomNumberGenerator.next() ?? 0
        let day = Int(request.clock.date.timeIntervalSince1970) / 86_400
        request.head.path = "/?nonce=\(nonce)&day=\(day)"
        return try await next(request)
      }
    }
    let folder = try ScratchDirectory()
    let recorder = Recorder(folder: folder.path)
    let past = ManualTime(date: Date(timeIntervalSince1970: 1_000_000_000))
    let recording = try Client(
      Pipeline(over: HandlerTransport { _ in Response(.noContent) }) {
        Signs()
        recorder
      },
      base: "http://a/",
      configuration: .init(clock: past, randomNumberGenerator: SeededRandom(seed: 42))
    )
    for _ in 0..<2 { _ = try await recording.send(.get("")) }
    try await recorder.finish()

    let replay = try ReplayTransport(folder: folder.path)
    #expect(replay.scenario.seed == 42)
    let configuration = Client.Configuration().replaying(replay.scenario)
    let client = try Client(
      Pipeline(over: replay) { Signs() },
      base: "http://a/",
      configuration: configuration
    )
    for _ in 0..<2 { #expect(try await client.send(.get("")).status == .noContent) }
    try replay.finish()
  }

  @Test func rulesThatWouldMatchAreNamed() async throws {
    let replay = try replay(
      exchange("01", "/v1.0/users/42?at=7", body: #"{"when":"2026-01-01T10:00:00Z","n":[1,2]}"#, answer: "ok")
    )
    let post = Request.post(
      "http://a/v1.0/users/43?at=8",
      body: .bytes(#"{"when":"2026-02-01T10:00:00Z","n":[1,3]}"#)
    )
    let text = try await message(replay, post)
    let line = try #require(text.split(separator: "\n").last { $0.contains("it would answer with") })
    let rules = #"""
      {"path":{"match":"regex","regex":"/v1\\.0/users/\\d+"},"query.at":{"match":"regex","regex":"\\d+"},\#
      "body$.when":{"match":"regex","regex":"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?\#
      (Z|[+-]\\d\\d:?\\d\\d)?"},"body$.n[1]":{"match":"integer"}}
      """#
    #expect(line == "      it would answer with \"match\": \(rules)")
    // Pasted into the scenario, they do.
    var scenario = replay.scenario
    let match = try #require(try JSONValue(parsing: Array(rules.utf8)).objectValue)
    scenario.exchanges[0].match = match.members.map { .init($0.key, $0.value) }
    #expect(try await answer(try ReplayTransport(scenario), post) == "ok")
  }

  @Test func aDifferenceShowsNoSecret() async throws {
    let replay = try replay(exchange("01", "/users", body: #"{"name":"Ada"}"#, answer: ""))
    let body = Bytes(#"{"name":"Ada","password":"hunter22"}"#)
    var request = Request.post("http://a/users?api_key=k3y-9a8b7c6d5e", body: .bytes(body))
    request.fields[.authorization] = "Bearer tok-8f2c9A7b1d3e"
    let text = try await message(replay, request)
    #expect(text.contains("Unexpected query parameter 'api_key' received"))
    for secret in ["hunter22", "k3y-9a8b7c6d5e", "tok-8f2c9A7b1d3e"] {
      #expect(!text.contains(secret), "\(text)")
    }
  }

  @Test func rulesReplaceEquality() async throws {
    var user = exchange("01", "/users/42?at=1", body: #"{"id":1,"when":"2026-01-01"}"#, answer: "ok")
    user.match = [
      .init("path", ["match": "regex", "regex": #"/users/\d+"#]), .init("query.at", "integer"),
      .init("body$.when", "date"), .init("header.X-Id", "uuid"),
    ]
    let unknown = try #require(throws: ScenarioError.self) { try self.replay(user) }
    #expect("\(unknown)".contains("match of exchange 01: header.X-Id"))
    user.match[3] = .init("header.X-Id", "notEmpty")
    user.request.fields[.init("X-Id")!] = "a"
    user.times = .any
    let ruled = try self.replay(user)
    var request = Request.post("http://a/users/7?at=99", body: .bytes(#"{"when":"2027-12-31","id":1}"#))
    request.fields[.init("X-Id")!] = "b"
    #expect(try await answer(ruled, request) == "ok")
    request.fields[.init("X-Id")!] = nil
    #expect(try await message(ruled, request).contains("header X-Id: "))
    request.fields[.init("X-Id")!] = "b"
    request.body = .bytes(#"{"when":"soon","id":1}"#)
    #expect(try await message(ruled, request).contains("body $.when: "))
  }

  /// An expression for which Swift's `Regex` takes twice as long for each further character.
  @Test func matchingAnAmbiguousExpressionEnds() async throws {
    var words = exchange("01", "/aaaa", answer: "words")
    words.match = [.init("path", ["match": "regex", "regex": #"/(\w+-?)*"#])]
    let replay = try replay(words, exchange("02", "/plain", answer: "plain"))
    let path = "/" + String(repeating: "a", count: 2000)
    #expect(try await answer(replay, Request(.get, "http://a\(path)")) == "words")
    _ = try await message(replay, Request(.get, "http://a\(path)!"))
  }

  @Test func statesAndOrderAreKept() async throws {
    var (login, page) = (exchange("login", "/login", answer: "in"), exchange("page", "/page", answer: "page"))
    login.sets = [.init(name: "session", value: "open")]
    page.requires = [.init(name: "session", value: "open")]
    let states = try replay(login, page)
    #expect(
      try await message(states, .get("http://a/page")).contains(
        "it requires that the state session is \"open\""
      )
    )
    _ = try await answer(states, .get("http://a/login"))
    #expect(try await answer(states, .get("http://a/page")) == "page")

    let strict = try replay(
      exchange("01", "/1", answer: ""),
      exchange("02", "/2", answer: ""),
      order: .strict
    )
    #expect(try await message(strict, .get("http://a/2")).contains("exchange 01 has to come before it"))
    _ = try await answer(strict, .get("http://a/1"))
    _ = try await answer(strict, .get("http://a/2"))
  }

  @Test func anExchangeAnswersOnlySoManyTimes() async throws {
    var (twice, last) = (exchange("twice", "/2", answer: "2"), exchange("last", "/l", answer: "l"))
    (twice.times, last.times) = (.exactly(2), .last)
    var many = exchange("many", "/m", answer: "m")
    many.times = .atLeastOnce
    let replay = try replay(twice, last, many)
    for path in ["2", "2", "l", "l", "l"] {
      #expect(try await answer(replay, .get("http://a/\(path)")) == path)
    }
    _ = try await message(replay, .get("http://a/2"))
    let error = try #require(throws: ExchangeError.self) { try replay.finish() }
    #expect(error.message == "1 of 3 exchanges were not used:\n  many  GET http://a/m")
    _ = try await answer(replay, .get("http://a/m"))
    try replay.finish()
  }

  @Test func failuresAreReplayed() async throws {
    let kinds: [(Scenario.Outcome, String)] = [
      (.init(.reset), "connectionReset"), (.init(.dns), "nameResolution"),
      (.init(.refused), "connectionRefused"),
      (.init(.tls, detail: "expired"), "tls.expired"), (.init(.timeout, detail: "head"), "timeout.head"),
      (.init(.protocol), "protocolViolation"), (.init(.unreachable), "connectionFailed"),
    ]
    for (outcome, kind) in kinds {
      var exchange = exchange("01", "/", answer: "")
      exchange.reply = Scenario.Reply(outcome)
      let replay = try replay(exchange)
      let error = try await #require(throws: ExchangeError.self) {
        try await answer(replay, .get("http://a/"))
      }
      #expect("\(error.kind)" == kind)
    }
  }

  @Test func chunksTrailersAndACutComeAsTheyWere() async throws {
    var exchange = exchange("01", "/", answer: "abcdef")
    exchange.reply.body?.chunks = [.init(bytes: 2, delay: .seconds(1)), .init(bytes: 4, delay: .seconds(1))]
    exchange.reply.trailers = [.init("X-Sum")!: "6"]
    let whole = try replay(exchange)
    let response = try await Pipeline(over: whole) {}.send(.get("http://a/"))
    var chunks: [String] = []
    for try await chunk in response.body { chunks.append(String(decoding: chunk)) }
    #expect(chunks == ["ab", "cdef"])
    #expect(response.body.trailers?[.init("X-Sum")!] == "6")

    exchange.reply.outcome = .init(.truncated)
    let cut = try await Pipeline(over: try replay(exchange)) {}.send(.get("http://a/"))
    var count = 0
    let error = try await #require(throws: ExchangeError.self) {
      for try await chunk in cut.body { count += chunk.count }
    }
    #expect("\(error.kind)" == "incompleteBody" && count == 6)
  }

  @Test func recordedTimesPassOnTheClockOfTheExchange() async throws {
    var exchange = exchange("01", "/", answer: "ab")
    exchange.reply.body?.chunks = [
      .init(bytes: 1, delay: .seconds(10)), .init(bytes: 1, delay: .seconds(20)),
    ]
    var scenario = Scenario()
    scenario.exchanges = [exchange]
    let clock = ManualTime()
    let replay = try ReplayTransport(scenario, timing: .recorded(factor: 0.5))
    let client = try Client(Pipeline(over: replay) {}, configuration: .init(clock: clock))
    async let text = client.get("http://a/", as: .text)
    for seconds in [5, 10] {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(seconds))
    }
    #expect(try await text == "ab")
  }
}
