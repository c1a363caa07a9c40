import Foundation
import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Placeholders are replaced in requests, accepted in replies, and no secret is in a report.
struct VerificationSecretsTests {
  private static let placeholder = "SECRET-ACCESS_TOKEN-1"

  @Test func placeholdersOfRequestsAreFilled() async throws {
    var exchange = contractExchange(
      "01",
      "http://service/a?access_token=\(Self.placeholder)",
      body: #"{"access_token":"\#(Self.placeholder)"}"#,
      answer: "{}"
    )
    exchange.request.fields = [
      .authorization: "Bearer \(Self.placeholder)", .contentType: "application/json",
    ]
    let live = service("{}")
    var verification = try Verification([contractScenario(exchange)], against: live)
    let open = try await verification.run()
    #expect(open.exchanges[0].outcome == .skipped && !open.isAgreed && live.requests.isEmpty)
    #expect(open.exchanges[0].warnings.count == 1)
    #expect(open.exchanges[0].warnings[0].contains(Self.placeholder))
    #expect(open.exchanges[0].warnings[0].contains("with redaction.secrets[\"ACCESS_TOKEN\"]"))

    verification.redaction.secrets = ["ACCESS_TOKEN": #"t0k en/"9x8y7z"#]
    verification.fields[.authorization] = "Bearer of-today-1234567"
    let report = try await verification.run()
    #expect(report.isAgreed && report.exchanges[0].warnings.isEmpty)
    let sent = try #require(live.requests.last)
    #expect(sent.head.path == "/a?access_token=t0k%20en%2F%229x8y7z")
    #expect(sent.fields[values: .authorization] == ["Bearer of-today-1234567"])
    #expect(sent.body.bytes == Bytes(#"{"access_token":"t0k en/\"9x8y7z"}"#))
    for format in VerificationReport.FileFormat.allCases {
      let text = String(decoding: report.serialized(as: format), as: UTF8.self)
      #expect(!text.contains("of-today-1234567") && !text.contains("9x8y7z"), "\(text)")
    }
  }

  @Test func givenFieldsAreSecretsWhereTheRecordedOnesWere() async throws {
    let name = HTTPField.Name("X-Tenant")!
    var exchange = contractExchange(answer: "{}")
    exchange.request.fields[name] = "SECRET-X_TENANT-1"
    let live = HandlerTransport { request in
      Response(.ok, fields: [.contentType: "text/plain"], body: .bytes(Bytes(request.fields[name] ?? "")))
    }
    var verification = try Verification([contractScenario(exchange)], against: live)
    verification.fields[name] = "tenant-of-today"
    let report = try await verification.run()
    #expect(live.requests.first?.fields[name] == "tenant-of-today" && !report.isAgreed)
    for format in VerificationReport.FileFormat.allCases {
      #expect(!String(decoding: report.serialized(as: format), as: UTF8.self).contains("tenant-of-today"))
    }
  }

  @Test func anySecretOfTheNameIsEqualToItsPlaceholder() async throws {
    let recorded = #"{"access_token":"\#(Self.placeholder)","user":"ada"}"#
    let exchange = contractExchange(answer: recorded)
    let answer = #"{"access_token":"n3w-t0ken-77aa","user":"ada"}"#
    let agreed = try await verify(exchange, against: service(answer))
    #expect(agreed.outcome == .agreed && agreed.differences.isEmpty, "\(agreed.differences)")
    let other = #"{"access_token":"n3w-t0ken-77aa","user":"eve n3w-t0ken-77aa"}"#
    let broken = try await verify(exchange, against: service(other))
    #expect(broken.differences.map(\.place) == ["body $.user"])
    #expect(broken.differences.first?.actual == #""eve \#(Self.placeholder)""#)
    let missing = try await verify(exchange, against: service(#"{"user":"ada"}"#))
    #expect(missing.differences.map(\.drift) == [.breaking])
  }

  @Test func anExchangeWithoutItsSecretIsNotVerified() async throws {
    let open = contractExchange("01", "http://service/a", answer: "{}")
    var closed = contractExchange("02", "http://service/a", answer: "{}")
    closed.request.fields = [.authorization: "Bearer SECRET-ACCESS_TOKEN-2"]
    var verification = try Verification([contractScenario(open, closed)], against: service("{}"))
    let report = try await verification.run()
    #expect(report.exchanges.map(\.outcome) == [.agreed, .skipped] && !report.isAgreed)
    #expect(report.exchanges[1].warnings[0].contains("with redaction.secrets[\"ACCESS_TOKEN-2\"]"))
    // The values for redaction are those that are sent.
    verification.redaction.secrets = ["accessToken": "of-today-7654321"]
    #expect(try await verification.run().isAgreed)
    // A given field needs no value.
    verification.redaction.secrets = [:]
    verification.fields[.authorization] = "Bearer of-today-7654321"
    #expect(try await verification.run().isAgreed)
  }

  @Test func valuesAreWrittenAsEachFormatAsks() async throws {
    let secret = #"a b&c="<d>"é:/"#
    let cases: [(type: String, recorded: String, sent: String)] = [
      (
        "application/x-www-form-urlencoded", "a=1&password=SECRET-PASSWORD-1",
        "a=1&password=a%20b%26c%3D%22%3Cd%3E%22%C3%A9%3A%2F"
      ),
      ("application/json", #"{"p": "SECRET-PASSWORD-1"}"#, #"{"p": "a b&c=\"<d>\"é:/"}"#),
      ("text/xml", "<p>SECRET-PASSWORD-1</p>", "<p>a b&amp;c=&quot;&lt;d&gt;&quot;é:/</p>"),
      (
        "multipart/form-data; boundary=b",
        "--b\r\nContent-Disposition: form-data; name=\"p\"\r\n\r\nSECRET-PASSWORD-1\r\n--b--\r\n",
        "--b\r\nContent-Disposition: form-data; name=\"p\"\r\n\r\n\(secret)\r\n--b--\r\n"
      ),
    ]
    for (type, recorded, sent) in cases {
      var exchange = contractExchange(
        "01",
        "http://service/u/SECRET-PASSWORD-1",
        body: recorded,
        answer: "{}"
      )
      let basic = Data("ada:SECRET-PASSWORD-1".utf8).base64EncodedString()
      exchange.request.fields = [.contentType: type, .authorization: "Basic \(basic)"]
      let live = service("{}")
      var verification = try Verification([contractScenario(exchange)], against: live)
      verification.redaction.secrets = ["PASSWORD": secret]
      #expect(try await verification.run().isAgreed)
      let request = try #require(live.requests.first)
      #expect(request.body.bytes.map { String(decoding: $0) } == sent)
      #expect(request.head.path == "/u/a%20b%26c%3D%22%3Cd%3E%22%C3%A9%3A%2F")
      #expect(request.fields[.authorization] == "Basic \(Data("ada:\(secret)".utf8).base64EncodedString())")
    }
  }

  @Test func aSecretOfAnEarlierReplyIsSent() async throws {
    let login = contractExchange(
      "01",
      "http://service/login",
      body: #"{"password":"SECRET-PASSWORD-1"}"#,
      fields: [.setCookie: "sid=SECRET-SID-1; Path=/"],
      answer: #"{"pin":4829,"id":"SECRET-ID-1"}"#
    )
    var page = contractExchange("02", "http://service/page/SECRET-ID-1?pin=4829", answer: "{}")
    page.request.fields[.cookie] = "sid=SECRET-SID-1"
    var scenario = contractScenario(login, page)
    scenario.exchanges[0].redacted = [.init("reply.body", "$.pin", "PIN-1")]
    scenario.exchanges[1].redacted = [.init("request.target", "query.pin", "PIN-1")]
    let live = HandlerTransport { request in
      request.head.path == "/login"
        ? Response(
          .ok,
          fields: [
            .contentType: "application/json", .setCookie: "new=1", .setCookie: "sid=of-today-1; Path=/",
          ],
          body: .bytes(#"{"pin":77123,"id":"of today 2"}"#)
        )
        : Response(.ok, fields: [.contentType: "application/json"], body: .bytes("{}"))
    }
    var verification = try Verification([scenario], against: live)
    verification.redaction.secrets = ["PASSWORD": "of-today-3"]
    let report = try await verification.run()
    #expect(report.isAgreed, "\(report)")
    #expect(live.requests[1].head.path == "/page/of%20today%202?pin=77123")
    #expect(live.requests[1].fields[.cookie] == "sid=of-today-1")
    for format in VerificationReport.FileFormat.allCases {
      let text = String(decoding: report.serialized(as: format), as: UTF8.self)
      for secret in ["of-today-1", "of today 2", "of%20today", "of-today-3", "77123"] {
        #expect(!text.contains(secret), "\(format) \(secret)")
      }
    }
    // A value of another type is a difference.
    let other = service(#"{"pin":"77123","id":7}"#)
    verification = try Verification([contractScenario(scenario.exchanges[0])], against: other)
    verification.redaction.secrets = ["PASSWORD": "of-today-3"]
    #expect(
      try await verification.run().exchanges[0].differences.filter(\.isMismatch).map(\.place)
        == ["body $.pin", "body $.id"]
    )
  }

  @Test func secretsOfAContractAreComparedAndNotShown() async throws {
    var interaction = ContractInteraction(
      id: "1",
      title: "log in",
      source: "pact.json",
      request: Scenario.Request("GET", "/"),
      expected: ComparedResponse(
        status: 200,
        fields: [FieldLine("Content-Type", "application/json")],
        body: ComparedBody(.bytes(#"{"password":"hunter22-a","n":1}"#))
      )
    )
    func result(_ answer: String) async throws -> VerificationReport.Exchange {
      try await Verification([interaction], against: service(answer)).run().exchanges[0]
    }
    #expect(try await result(#"{"password":"hunter22-a","n":1}"#).outcome == .agreed)
    let other = try await result(#"{"password":"hunter22-b","n":1}"#)
    #expect(other.outcome == .broken && !"\(other)".contains("hunter22"))
    // A rule sees the value as it came.
    interaction.rules = [try MatchRule("body$.password", .regex(TextPattern("hunter\\d+-[a-c]")))]
    #expect(try await result(#"{"password":"hunter22-b","n":1}"#).outcome == .agreed)
    let refused = try await result(#"{"password":"hunter22-x","n":1}"#)
    #expect(
      refused.outcome == .broken && refused.differences.count == 1 && !"\(refused)".contains("hunter22")
    )
  }

  @Test(arguments: EncodedSecret.allCases)
  func fuzzedSecretsAreInNoReport(_ encoding: EncodedSecret) async throws {
    var generator = SecretGenerator(state: 22)
    for _ in 0..<4 {
      let secret = generator.secret(length: 16...40, SecretGenerator.token)
      let login = contractExchange("01", answer: #"{"access_token":"x","n":1}"#)
      let echo = contractExchange("02", type: "text/plain", answer: "nothing")
      let live = HandlerTransport { request in
        guard request.head.path == "/users/42", request.fields[.accept] == nil else {
          return Response(.notFound)
        }
        let token = JSONValue.string(secret)
        let isFirst = request.fields[.ifMatch] == nil
        return isFirst
          ? Response(
            .ok,
            fields: [.contentType: "application/json", .init("X-Echo")!: encoding(secret)],
            body: .bytes(Bytes("{\"access_token\":\(token),\"n\":\"\(encoding(secret))\"}"))
          )
          : Response(.ok, fields: [.contentType: "text/plain"], body: .bytes(Bytes("<\(encoding(secret))>")))
      }
      var scenario = contractScenario(login, echo)
      scenario.exchanges[1].request.fields[.ifMatch] = "a"
      let report = try await Verification([scenario], against: live).run()
      #expect(report.exchanges.map(\.outcome) == [.broken, .broken])
      for format in VerificationReport.FileFormat.allCases {
        let text = String(decoding: report.serialized(as: format), as: UTF8.self)
        for other in EncodedSecret.allCases {
          #expect(!text.contains(other(secret)), "\(format) \(other)")
        }
      }
    }
  }

  /// What one scenario keeps may be a secret of another one.
  @Test func onlyWhatAllScenariosKeepIsInTheReport() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "keep-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, keep) in [("a", #"["password", "$.x"]"#), ("b", #"["pin", "$.x"]"#)] {
      try contractScenario(contractExchange(answer: "{}")).write(folder: "\(folder)/\(name)")
      let file = "\(folder)/\(name)/redaction.json"
      try "{\"keep\": \(keep), \"redact\": [\"\(name)\"]}".write(
        toFile: file,
        atomically: true,
        encoding: .utf8
      )
    }
    let options = try Verification(contract: folder, against: service("{}")).redaction
    let of = try ["a", "b"].map { try RedactionOptions(for: "\(folder)/\($0)") }
    #expect(options.allowedNames == of[0].allowedNames.intersection(of[1].allowedNames))
    #expect(options.allowedPaths == of[0].allowedPaths && !options.allowedPaths.isEmpty)
    #expect(of[0].allowedNames != of[1].allowedNames)
  }
}
