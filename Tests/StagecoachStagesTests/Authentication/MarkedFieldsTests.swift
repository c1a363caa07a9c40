import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MarkedFieldsTests {
  private struct Asked: ChallengeHandler {
    let questions = Log<ChallengeQuestion>()

    func decide(on question: ChallengeQuestion) async throws -> ChallengeDecision {
      questions.add(question)
      return .useDefault
    }
  }

  @Test func markedFieldsShowNeitherInTheHistoryNorToTheHandler() async throws {
    let own = try #require(HTTPField.Name("X-Own"))
    var request = Request.get("https://h/", as: "ada", "secret")
    request.fields[own] = "hidden"
    request.options.sensitiveFields.insert(own)
    let transport = HandlerTransport { request in
      request.authorization == nil ? .challenge(#"Basic realm="r""#) : Response(.ok)
    }
    let handler = Asked()
    let response = try await Authentication(handler: handler).client(over: transport).send(request)
    #expect(transport.requests.map { $0.fields[own] } == ["hidden", "hidden"])
    #expect(response.history.map { $0.request.headerFields[own] } == ["[redacted]"])
    #expect(handler.questions.all.map { $0.request.headerFields[own] } == ["[redacted]"])
  }
}
