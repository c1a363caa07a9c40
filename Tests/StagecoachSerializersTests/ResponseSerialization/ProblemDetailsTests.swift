import Foundation
import HTTPTypes
import Stagecoach
import Testing

@Suite struct ProblemDetailsTests {
  /// The first example of RFC 9457, section 3.
  private static let example = """
    {"type":"https://example.com/probs/out-of-credit","title":"You do not have enough credit.",
    "detail":"Your current balance is 30, but that costs 50.","instance":"/account/12345/msgs/abc",
    "balance":30,"accounts":["/account/12345","/account/67890"],"status":403}
    """

  private static func refuse(_ body: Bytes, type: String) async throws -> ExchangeError {
    let client = try Client(
      over: HandlerTransport { _ in
        Response(.forbidden, fields: [.contentType: type], body: .bytes(body))
      }
    )
    var request = Request.get("http://h/")
    request.options.errorModel = ErrorModel(.problemDetails)
    return try await #require(throws: ExchangeError.self) {
      _ = try await client.value(for: request, as: .text)
    }
  }

  @Test func anErrorHasProblemDetails() async throws {
    let error = try await Self.refuse(Bytes(Self.example), type: "application/problem+json; charset=utf-8")
    #expect(error.kind == .status)
    let problem = try #require(error.decoded(as: ProblemDetails.self))
    #expect(problem.type == "https://example.com/probs/out-of-credit")
    #expect(problem.title == "You do not have enough credit.")
    #expect(problem.status == 403)
    #expect(problem.detail == "Your current balance is 30, but that costs 50.")
    #expect(problem.instance == "/account/12345/msgs/abc")
    #expect(problem.extensions == ["balance": 30, "accounts": ["/account/12345", "/account/67890"]])
  }

  @Test(arguments: ["text/html", "application/json"])
  func aBodyOfAnotherTypeHasNoProblemDetails(type: String) async throws {
    #expect(try await Self.refuse(Bytes(Self.example), type: type).decodedBody == nil)
  }

  @Test(arguments: ["[]", "7", "nonsense", ""])
  func aBodyThatIsNotAnObjectHasNoProblemDetails(body: String) async throws {
    let error = try await Self.refuse(Bytes(body), type: "application/problem+json")
    #expect(error.kind == .status)
    #expect(error.decodedBody == nil)
    await #expect(throws: (any Error).self) {
      _ = try await ProblemDetailsResponseSerializer().serialize(Response(.ok, body: .bytes(Bytes(body))))
    }
    #expect(throws: DecodingError.self) {
      _ = try JSONDecoder().decode(ProblemDetails.self, from: Data(body.utf8))
    }
  }

  @Test func membersOfAnotherTypeAreIgnored() throws {
    let text = #"{"type":1,"title":null,"status":"403","detail":[],"instance":{},"x":1.0}"#
    let object = try #require(try JSONValue(parsing: text).objectValue)
    #expect(
      ProblemDetails(object)
        == ProblemDetails(extensions: try JSONObject([.init(key: "x", value: JSONValue(parsing: "1.0"))]))
    )
    #expect(ProblemDetails(object).type == "about:blank")
  }

  @Test func anyDecoderReadsProblemDetails() throws {
    let problem = try JSONDecoder().decode(ProblemDetails.self, from: Data(Self.example.utf8))
    #expect(problem.status == 403)
    #expect(problem.extensions["balance"]?.intValue == 30)
    #expect(problem.extensions.members.count == 2)
  }

  @Test func acceptAsksForProblemDetails() {
    #expect(Acceptance.problemDetails.acceptField == "application/problem+json")
    #expect(Acceptance.problemDetails.accepts(status: 500))
    #expect(!Acceptance.problemDetails.accepts(.json))
  }
}
