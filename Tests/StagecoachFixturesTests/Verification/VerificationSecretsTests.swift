import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Placeholders are replaced in requests, accepted in replies, and no secret is in a report.
struct VerificationSecretsTests {
  private static let placeholder = "{{secret:ACCESS_TOKEN#1}}"

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
    let open = try await verification.run().exchanges[0]
    #expect(open.warnings.count == 1 && open.warnings[0].contains(Self.placeholder))
    #expect(live.requests.count == 1)

    verification.secrets = ["ACCESS_TOKEN": #"t0k en/"9x8y7z"#]
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
}
