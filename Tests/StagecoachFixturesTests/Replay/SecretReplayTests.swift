import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures
import Testing

/// Recorded sequences with secrets answer the same requests, with the same values and with others.
struct SecretReplayTests {
  private func answer(_ replay: ReplayTransport, _ request: Request) async throws -> (Response, String) {
    let response = try await Pipeline(over: replay) {}.send(request)
    return (response, String(decoding: try await response.body.collect(upTo: 10_000)))
  }

  private func refusal(_ replay: ReplayTransport, _ request: Request) async throws -> String {
    let error = try await #require(throws: ExchangeError.self) { _ = try await answer(replay, request) }
    #expect("\(error.kind)" == "replay.unmatched")
    return error.message
  }

  @Test(arguments: SecretSequence.all)
  func aSequenceAnswersWithTheSameAndWithFreshValues(_ sequence: SecretSequence) async throws {
    let replay = try ReplayTransport(sequence.scenario)
    for isFresh in [false, true] {
      for index in sequence.steps.indices {
        let values =
          isFresh ? SecretSequence.fresh(except: sequence.handedOut(before: index)) : SecretSequence.recorded
        let (response, text) = try await answer(replay, sequence.request(index, values))
        // What was handed out for the first time is as recorded; what requests sent is repeated.
        let handedOut = sequence.handedOut(before: index + 1)
        let expected = sequence.step(
          index,
          isFresh ? SecretSequence.fresh(except: handedOut) : SecretSequence.recorded
        )
        #expect(response.status.code == expected.status)
        #expect(text == expected.reply)
        for field in expected.replyFields { #expect(response.fields[values: field.name] == [field.value]) }
      }
      #expect(replay.answered == sequence.scenario.exchanges.map(\.id))
      try replay.finish()
      replay.reset()
    }
  }

  @Test(arguments: SecretSequence.all)
  func aRequestWithAnotherLeafIsRefused(_ sequence: SecretSequence) async throws {
    let replay = try ReplayTransport(sequence.scenario)
    var count = 0
    for index in sequence.steps.indices {
      let values = SecretSequence.fresh(except: sequence.handedOut(before: index))
      let step = sequence.step(index, values)
      var request = sequence.request(index, values)
      let target = step.target.replacing(sequence.change.of, with: sequence.change.to)
      let body = step.body?.replacing(sequence.change.of, with: sequence.change.to)
      guard target != step.target || body != step.body else { continue }
      request = Request(request.method, "https://api.example.com\(target)", fields: step.fields)
      if let body { request.body = .bytes(Bytes(body)) }
      let text = try await refusal(replay, request)
      let words = sequence.change.to.split { !$0.isLetter && !$0.isNumber }.map(String.init)
      #expect(text.contains(words.last ?? ""), "\(text)")
      #expect(!text.contains("fresh-"), "\(text)")
      count += 1
    }
    #expect(count > 0)
  }

  @Test(arguments: SecretSequence.all)
  func aRequestWithoutASecretIsRefused(_ sequence: SecretSequence) async throws {
    let replay = try ReplayTransport(sequence.scenario)
    var count = 0
    for index in sequence.steps.indices {
      let values = SecretSequence.fresh(except: sequence.handedOut(before: index))
      for secret in sequence.secrets(ofRequest: index).sorted() {
        let nothing = secret == "PIN-1" ? "null" : ""
        let request = sequence.request(index) { $0 == secret ? nothing : values($0, $1) }
        let text = try await refusal(replay, request)
        let path = sequence.step(index, values).redacted.first { $0.name == secret }?.path
        let name = path?.split(separator: ".").last.map(String.init) ?? "SECRET-\(secret)"
        let isNamed = text.contains(name) || text.contains("$.\(secret.dropLast(2).lowercased())")
        #expect(isNamed, "\(secret): \(text)")
        #expect(!text.contains("fresh-"), "\(text)")
        count += 1
      }
    }
    #expect(count > 0)
    #expect(replay.answered.isEmpty)
  }

  @Test func aPlaceholderSelectsItsExchange() async throws {
    let sequence = SecretSequence.all[0]
    let replay = try ReplayTransport(sequence.scenario)
    let right = sequence.request(1, SecretSequence.recorded)
    #expect(try await answer(replay, right).0.status == .ok)
    #expect(try await refusal(replay, right).contains("it was used by request #1"))
    // A value that stands for one secret is no other one.
    replay.reset()
    let wrong = sequence.request(0) { _, _ in "letmein" }
    #expect(try await answer(replay, wrong).0.status == .unauthorized)
    let text = try await refusal(replay, wrong)
    #expect(text.contains("it has another secret than SECRET-PASSWORD-2") && !text.contains("letmein"))
    #expect(try await answer(replay, sequence.request(0) { _, _ in "s3same" }).0.status == .ok)
    replay.reset()
    #expect(try await answer(replay, sequence.request(0) { _, _ in "s3same" }).0.status == .unauthorized)
  }

  @Test func aValueThatStandsForASecretIsNotShownElsewhere() async throws {
    let sequence = SecretSequence.all[0]
    let replay = try ReplayTransport(sequence.scenario)
    _ = try await answer(replay, sequence.request(0) { _, _ in "swordfish" })
    for body in [#"{"note": "it is swordfish"}"#, #"{"user": "ada swordfish", "password": "swordfish"}"#] {
      let request = Request(.post, "https://api.example.com/login?q=swordfish", body: .bytes(Bytes(body)))
      let text = try await refusal(replay, request)
      #expect(!text.contains("swordfish") && text.contains("SECRET-PASSWORD-1"), "\(text)")
    }
    #expect(!replay.unmatched.joined().contains("swordfish"))
    #expect(!"\(replay)".contains("swordfish"))
  }

  @Test func anotherValueDoesNotTakeASecret() async throws {
    let sequence = SecretSequence.all[0]
    var scenario = sequence.scenario
    scenario.exchanges = [scenario.exchanges[1]]
    scenario.exchanges[0].times = .any
    let replay = try ReplayTransport(scenario)
    let (first, other) = (sequence.request(1) { _, _ in "first" }, sequence.request(1) { _, _ in "other" })
    _ = try await answer(replay, first)
    #expect(try await refusal(replay, other).contains("it has another secret than SECRET-PASSWORD-2"))
    _ = try await answer(replay, first)
    _ = try await answer(replay, sequence.request(1, SecretSequence.recorded))
  }

  @Test func anEqualLeafBeatsASecret() async throws {
    var scenario = SecretSequence.all[0].scenario
    scenario.exchanges[1].request.body = Scenario.Body(#"{"user": "ada", "password": "test"}"#)
    let replay = try ReplayTransport(scenario)
    #expect(try await answer(replay, SecretSequence.all[0].request(0) { _, _ in "test" }).0.status == .ok)
  }

  @Test func refusesASecretOfAnotherType() async throws {
    let replay = try ReplayTransport(SecretSequence.all[0].scenario)
    let json: HTTPFields = [.contentType: "application/json"]
    for value in ["7", "null", "true", "[]", #"["a"]"#, #"{"a": 1}"#] {
      let body = Bytes(#"{"user": "ada", "password": \#(value)}"#)
      let request = Request(.post, "https://api.example.com/login", fields: json, body: .bytes(body))
      #expect(try await refusal(replay, request).contains("body $.password"))
    }
  }

  @Test func aRequestWithoutItsFieldIsRefused() async throws {
    let replay = try ReplayTransport(SecretSequence.all[6].scenario)
    var request = SecretSequence.all[6].request(0, SecretSequence.recorded)
    request.fields[.cookie] = "theme=dark"
    var text = try await refusal(replay, request)
    #expect(text.contains("header cookie.sid: Expected the secret SECRET-SID-1 but was missing"), "\(text)")
    for cookies in ["theme=light; sid=another", "sid=another"] {
      request.fields[.cookie] = cookies
      let text = try await refusal(replay, request)
      #expect(text.contains("header cookie.theme: Expected 'dark' but was another value"), "\(text)")
    }
    request.fields[.cookie] = "sid=another; lang=en; theme=dark"
    request.fields[.init("X-Api-Key")!] = nil
    text = try await refusal(replay, request)
    #expect(text.contains("Expected the secret SECRET-API_KEY-1 but was missing"), "\(text)")
    request.fields[.init("X-Api-Key")!] = "k"
    _ = try await answer(replay, request)
  }

  @Test func cookiesMayComeInOneFieldOrInSeveral() async throws {
    let name = HTTPField.Name.cookie
    let one: HTTPFields = [name: "a=SECRET-A-1; b=2; c=SECRET-C-1"]
    let several = HTTPFields(["c=SECRET-C-1", "b=2; a=SECRET-A-1"].map { HTTPField(name: name, value: $0) })
    for (recorded, live) in [(one, several), (several, one)] {
      var scenario = Scenario()
      let request = Scenario.Request("GET", "https://api.example.com/", fields: recorded)
      let reply = Scenario.Reply(
        Scenario.Head(HTTPResponse(status: .ok)),
        body: Scenario.Body("SECRET-A-1 SECRET-C-1")
      )
      scenario.exchanges = [Scenario.Exchange(id: "01", request: request, reply: reply)]
      let replay = try ReplayTransport(scenario)
      let fields = HTTPFields(
        live.map { field in
          let value = field.value.replacing("SECRET-A-1", with: "x").replacing("SECRET-C-1", with: "y")
          return HTTPField(name: name, value: value)
        }
      )
      let sent = Request(.get, "https://api.example.com/", fields: fields)
      #expect(try await answer(replay, sent).1 == "x y")
    }
  }

  @Test func theUserBelongsToThePassword() async throws {
    @Sendable func basic(_ user: String, _ password: String) -> HTTPFields {
      [.authorization: "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"]
    }
    let sequence = SecretSequence(
      "two users of Basic",
      change: ("", ""),
      { .init(target: "/me", fields: basic("ada", $0("BASIC_PASSWORD-1", nil)), reply: #"{"name": "Ada"}"#) },
      { .init(target: "/me", fields: basic("bob", $0("BASIC_PASSWORD-2", nil)), reply: #"{"name": "Bob"}"#) }
    )
    let replay = try ReplayTransport(sequence.scenario)
    let url = "https://api.example.com/me"
    let text = try await refusal(replay, Request(.get, url, fields: basic("eve", "of today")))
    #expect(text.contains("user: Expected 'ada' but was another value") && !text.contains("eve"), "\(text)")
    #expect(try await answer(replay, Request(.get, url, fields: basic("bob", "of today"))).1.contains("Bob"))
    #expect(
      try await answer(replay, Request(.get, url, fields: basic("ada", "of today 2"))).1.contains("Ada")
    )
  }

  @Test func shortHarmlessWordsMustBeEqual() async throws {
    let countries = SecretSequence(
      "countries",
      change: ("", ""),
      { _ in .init(target: "/c?code=DE", reply: #"{"name": "Germany"}"#) },
      { _ in .init(target: "/c?code=FR", reply: #"{"name": "France"}"#) }
    )
    let replay = try ReplayTransport(countries.scenario)
    #expect(try await answer(replay, countries.request(1, SecretSequence.recorded)).1.contains("France"))
    #expect(try await answer(replay, countries.request(0, SecretSequence.recorded)).1.contains("Germany"))
    #expect(try await refusal(replay, .get("https://api.example.com/c?code=IT")).contains("query code"))
  }

  @Test func theTokenOfAReplayIsAcceptedByTheLibrarysOwnTokenSource() async throws {
    struct Answer: Decodable, Sendable {
      var token: String
      var lifetime: Int

      enum CodingKeys: String, CodingKey {
        case token = "access_token"
        case lifetime = "expires_in"
      }
    }
    let sequence = SecretSequence(
      "client credentials",
      change: ("", ""),
      { value in
        .init(
          method: "POST",
          target: "/token",
          fields: [.contentType: "application/x-www-form-urlencoded"],
          body: "grant_type=client_credentials&client_id=app&client_secret=\(value("CLIENT_SECRET-1", nil))",
          reply: #"{"access_token": "\#(value("ACCESS_TOKEN-1", nil))", "expires_in": 3600}"#
        )
      },
      { value in
        .init(
          target: "/me",
          fields: [.authorization: "Bearer \(value("ACCESS_TOKEN-1", nil))"],
          reply: #"{"name": "Ada"}"#
        )
      }
    )
    let replay = try ReplayTransport(sequence.scenario)
    let plain = try Client(over: replay, base: "https://api.example.com/")
    let tokens = TokenSource { _ in
      let answer: Answer = try await plain.post(
        "token",
        .form([
          "grant_type": "client_credentials", "client_id": "app", "client_secret": "s3cret of today",
        ])
      )
      return Token(answer.token, lifetime: .seconds(answer.lifetime))
    }
    let authentication = try Authentication(bearer: tokens, for: "https://api.example.com")
    let client = try Client(
      Pipeline(over: replay) { authentication },
      base: "https://api.example.com/"
    )
    #expect(try await client.get("me", as: .text) == #"{"name": "Ada"}"#)
    try replay.finish()
  }

  #if ContentCoding
    /// The codings that the traits of the build can undo.
    private static let codings: [String] = {
      var codings = ["gzip", "deflate"]
      #if Brotli
        codings.append("br")
      #endif
      #if Zstandard
        codings.append("zstd")
      #endif
      return codings
    }()

    @Test(arguments: codings)
    func codedRequestsAreComparedDecoded(_ coding: String) async throws {
      let sequence = SecretSequence.all[0]
      var scenario = sequence.scenario
      scenario.exchanges[0].request.body?.codings = [coding]
      scenario.exchanges[0].request.fields[.contentEncoding] = coding
      let coded = try await coded(sequence.step(0) { _, _ in "of today" }.body ?? "", coding)
      let replay = try ReplayTransport(scenario)
      var request = sequence.request(0, SecretSequence.recorded)
      request.fields[.contentEncoding] = coding
      request.body = .bytes(coded)
      #expect(try await answer(replay, request).0.status == .unauthorized)
    }

    /// Content as a replay codes it.
    private func coded(_ text: String, _ coding: String) async throws -> Bytes {
      var scenario = SecretSequence.all[0].scenario
      scenario.exchanges[0].reply.body = Scenario.Body(Bytes(text))
      scenario.exchanges[0].reply.body?.codings = [coding]
      let replay = try ReplayTransport(scenario)
      let request = SecretSequence.all[0].request(0, SecretSequence.recorded)
      return try await Pipeline(over: replay) {}.send(request).body.collect(upTo: 10_000)
    }

    @Test func theLibrarysOwnCompressionIsDecoded() async throws {
      let body =
        #"{"user": "ada", "password": "of today", "note": "\#(String(repeating: "a", count: 5000))"}"#
      var scenario = SecretSequence.all[0].scenario
      scenario.exchanges[0].request.body = Scenario.Body(
        Bytes(body.replacing("of today", with: "SECRET-PASSWORD-1"))
      )
      let replay = try ReplayTransport(scenario)
      let client = try Client(
        Pipeline(over: replay) { RequestCompression() },
        base: "https://api.example.com/"
      )
      let request = Request(
        .post,
        "login",
        fields: [.contentType: "application/json"],
        body: .bytes(Bytes(body))
      )
      #expect(try await client.send(request).status == .unauthorized)
    }
  #endif

  @Test func recomputesDigestsOfARedactedReply() async throws {
    var scenario = SecretSequence.all[2].scenario
    let names = ["Content-Digest", "Repr-Digest", "Digest", "Content-MD5"].map { HTTPField.Name($0)! }
    let old = ["sha-256=:b2xk:, unixsum=:b2xk:", "sha-512=:b2xk:", "SHA-256=b2xk", "b2xk"]
    for (name, value) in zip(names, old) {
      scenario.exchanges[0].reply.head?.response.headerFields[name] = value
    }
    scenario.exchanges[0].reply.head?.response.headerFields[.contentLength] = "1"
    let replay = try ReplayTransport(scenario)
    let (response, text) = try await answer(replay, SecretSequence.all[2].request(0, SecretSequence.recorded))
    #expect(text == #"{"refresh_token": "SECRET-REFRESH_TOKEN-2"}"#)
    #expect(response.fields[.contentLength] == "\(text.utf8.count)")
    // Made by openssl dgst.
    #expect(response.fields[names[0]] == "sha-256=:X1zDeRO+Q8SdPFucZDmBzlEkBR/D7lPPQSI3uNKuzWU=:")
    #expect(
      response.fields[names[1]]
        == "sha-512=:7c3KQMJRqtEGxe7OH8vVaMXyz+1UZHIFJthamSBB5g/F5xooajQSJdyZuPNhBzggwKIMQPOtV3+sWcvg7VplFw==:"
    )
    #expect(response.fields[names[2]] == "SHA-256=X1zDeRO+Q8SdPFucZDmBzlEkBR/D7lPPQSI3uNKuzWU=")
    #expect(response.fields[names[3]] == "yzMJsmxOZY2s5EkITtvQFw==")
  }

  @Test func anExchangeWithoutRecordedContentIsNamed() async throws {
    var scenario = SecretSequence.all[0].scenario
    var omitted = Scenario.Exchange(
      id: "03",
      request: Scenario.Request("POST", "https://api.example.com/upload"),
      reply: Scenario.Reply(Scenario.Outcome(.complete))
    )
    omitted.omission = "a secret could not be replaced"
    scenario.exchanges.append(omitted)
    let replay = try ReplayTransport(scenario)
    let error = try await #require(throws: ExchangeError.self) {
      try await answer(replay, .post("https://api.example.com/upload?a=1", body: .bytes("x")))
    }
    #expect("\(error.kind)" == "replay.omitted")
    #expect(error.message.contains("exchange 03 was not recorded: a secret could not be replaced"))
    #expect(replay.answered == ["03"])
  }

  @Test func ruleSeesTheValueAsItCame() async throws {
    var scenario = SecretSequence.all[0].scenario
    scenario.exchanges.removeLast()
    scenario.exchanges[0].match = [.init("body$.password", ["match": "regex", "regex": "[a-z]+"])]
    let replay = try ReplayTransport(scenario)
    let sequence = SecretSequence.all[0]
    #expect(try await refusal(replay, sequence.request(0) { _, _ in "UPPER" }).contains("body $.password"))
    #expect(try await answer(replay, sequence.request(0) { _, _ in "lower" }).0.status == .unauthorized)
  }
}
