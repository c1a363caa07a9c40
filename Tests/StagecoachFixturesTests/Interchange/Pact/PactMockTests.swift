import Foundation
import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// The mock server of consumer tests, beyond what the compatibility suite shows.
@Suite struct PactMockTests {
  private func mock(_ interactions: String...) throws -> PactMock {
    let text = """
      {"consumer": {"name": "c"}, "provider": {"name": "p"}, "metadata": {"pactSpecification": {"version": "4.0"}},
       "interactions": [\(interactions.joined(separator: ","))]}
      """
    return try PactMock(PactFile(contents: Array(text.utf8), path: "pact.json"))
  }

  private func send(_ mock: PactMock, _ request: Request) async throws -> (Response, String) {
    let response = try await Pipeline(over: mock) {}.send(request)
    return (response, String(decoding: try await response.body.collect(upTo: 10_000)))
  }

  private let list = """
    {"description": "a list", "request": {"path": "/a b", "query": {"page": ["1"], "size": ["5"]}},
     "response": {"status": 200, "body": {"content": {"next": "http://example.com/a/2"}, "contentType": "application/json"},
      "generators": {"body": {"$.next": {"type": "MockServerURL", "example": "http://example.com/a/2", "regex": ".*(/a/2)$"}}}}}
    """
  private let other = """
    {"description": "another list", "request": {"path": "/a b", "query": {"page": ["2"]}},
     "response": {"status": 204, "body": {"content": ""}}}
    """

  @Test func answersAreGenerated() async throws {
    let mock = try mock(list)
    let (response, body) = try await send(mock, .get("http://127.0.0.1:81/a%20b?size=5&page=1"))
    #expect(response.status == .ok)
    #expect(response.fields[.contentType] == "application/json")
    #expect(body == #"{"next":"http://127.0.0.1:81/a/2"}"#)
    // An interaction may be asked for again.
    _ = try await send(mock, .get("http://127.0.0.1:81/a%20b?page=1&size=5"))
    #expect(mock.problems == [])
  }

  @Test func theClosestInteractionIsCompared() async throws {
    let mock = try mock(list, other)
    let (response, body) = try await send(mock, .get("http://p/a%20b?page=1&size=6"))
    #expect(response.status == .internalServerError)
    #expect(response.fields[try #require(HTTPField.Name("X-Pact"))] == "Request-Mismatch")
    #expect(
      body
        == #"{"error":"Request GET /a b did not match \"a list\": query size: Expected query parameter 'size' with "#
        + #"value '5' but was '6'","mismatches":["query size: Expected query parameter 'size' with value '5' but was '6'"]}"#
    )
    let (unexpected, text) = try await send(mock, .post("http://p/a%20b?page=1&size=6", body: .bytes("{}")))
    #expect(unexpected.status == .internalServerError)
    #expect(unexpected.fields[try #require(HTTPField.Name("X-Pact"))] == nil)
    #expect(text == #"{"error":"Unexpected request was received: POST /a%20b"}"#)
    #expect(
      mock.problems == [
        "Request GET /a b did not match \"a list\": query size: "
          + "Expected query parameter 'size' with value '5' but was '6'",
        "Unexpected request was received: POST /a%20b",
        "Expected request GET /a b (\"a list\") was not received",
        "Expected request GET /a b (\"another list\") was not received",
      ]
    )
  }

  @Test func contentAndFieldsThatTheFileDoesNotNameAreAccepted() async throws {
    let mock = try mock(#"{"description": "d", "request": {"method": "post", "path": "/"}, "response": {}}"#)
    var request = Request.post("http://p/", body: .bytes("anything"))
    request.fields[.accept] = "a/b"
    #expect(try await send(mock, request).0.status == .ok)
  }

  @Test func answersThatCannotBeSentAreErrors() async throws {
    let status = try mock(#"{"description": "d", "request": {"path": "/"}, "response": {"status": 100000}}"#)
    await #expect(throws: ExchangeError.self) { try await send(status, .get("http://p/")) }
    let field = try mock(
      #"{"description": "d", "request": {"path": "/"}, "response": {"headers": {"a b": ["c"]}}}"#
    )
    await #expect(throws: ExchangeError.self) { try await send(field, .get("http://p/")) }
  }
}
