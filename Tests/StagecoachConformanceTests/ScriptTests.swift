import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachConformance

/// How wire scripts are read: what nobody would look at is refused.
@Suite struct ScriptTests {
  private func check(_ members: String, _ script: String = "") throws -> Check {
    let text = #"{"id": "900-script", "title": "it is read"\#(script), "cases": [{\#(members)}]}"#
    return try ScriptedCheck.check(JSONValue(parsing: text))
  }

  @Test func aScriptIsRead() throws {
    let check = try check(#""expect": {"status": 200}"#, #", "level": "capability", "needs": ["http2"]"#)
    #expect(check.id == "900-script")
    #expect(check.number == "900")
    #expect(check.title == "it is read")
    #expect(check.level == .capability)
    #expect(check.needs == .http2)
    #expect(!check.runsInProcess)
  }

  @Test(
    arguments: [
      #""expct": {}"#, #""expect": {"stauts": 200}"#, #""expect": {"status": 200, "or": [{"bodi": ""}]}"#,
      #""request": {"metod": "GET"}"#, #""request": {"options": {"headTimeut": 1}}"#,
      #""saw": [{"line": ""}]"#,
      #""exchanges": [{"request": {}, "exspect": {}}]"#, #""connections": [["read hed"]]"#,
      #""connections": [[{"sent": "x"}]]"#, #""connections": [[{"send": "x", "time": 2}]]"#,
    ]
  )
  func refusesAnUnknownMember(members: String) {
    #expect(throws: ScriptError.self) { try check(members) }
  }

  @Test(
    arguments: [
      #""expect": {"status": "200"}"#, #""expect": {"bodyLength": "3"}"#, #""expect": {"reason": 3}"#,
      #""expect": {"requestMayHaveBeenSent": "no"}"#, #""expect": {"fields": {"A": "b"}}"#,
      #""request": {"once": 1}"#, #""request": {"length": "5"}"#,
      #""request": {"options": {"headTimeout": "1"}}"#,
      #""saw": {"startLine": ""}"#, #""saw": [{"bodyLength": true}]"#,
      #""connections": [["read head"], "hold"]"#,
      #""connections": [[{"read": -5}]]"#, #""connections": [[{"send": "x", "times": -1}]]"#,
      #""connections": [], "repeats": 1"#,
    ]
  )
  func refusesAMemberOfAnotherType(members: String) {
    #expect(throws: ScriptError.self) { try check(members) }
  }

  @Test(
    arguments: [
      #""connections": [], "respond": "HTTP/1.1 200 OK\r\n\r\n""#, #""exchanges": [], "expect": {}"#,
      #""exchanges": [], "request": {}"#, #""repeats": true"#, #""saw": [], "sawIfSent": []"#,
      #""expect": {"error": ["any"], "bodyError": ["any"]}"#,
    ]
  )
  func aMemberThatMeansNothingBesideAnotherIsRefused(members: String) {
    #expect(throws: ScriptError.self) { try check(members) }
  }

  @Test(arguments: [#", "level": "must""#, #", "needs": ["htp2"]"#, #", "inProcess": 1"#, #", "note": """#])
  func refusesAContradictoryScript(members: String) {
    #expect(throws: ScriptError.self) { try check("", members) }
  }

  @Test func textsAreExpanded() throws {
    #expect(try ScriptText.expanded("a{{x 3}}b") == "axxxb")
    #expect(try ScriptText.expanded("{{authority}}") == "{{authority}}")
    #expect(try ScriptText.expanded("{{x -3}}") == "{{x -3}}")
  }

  // MARK: Expectations

  private func outcome(
    _ members: String,
    declaring capabilities: TransportCapabilities? = nil,
    sending times: Int = 1,
    _ answer: @escaping @Sendable (Request) async throws -> Response = { _ in
      Response(.ok, body: .bytes("ok"))
    }
  ) async throws -> CheckResult.Outcome {
    let check = try check(members, #", "inProcess": true"#)
    let subject = Subject(inProcess: "Scripted") { server in
      let transport = HandlerTransport { request in
        for _ in 0..<times { _ = try await server(request) }
        return try await answer(request)
      }
      return Declaring(transport, capabilities)
    }
    return await subject.run(check).outcome
  }

  @Test func whatIsExpectedIsLookedAt() async throws {
    #expect(try await outcome(#""expect": {"status": 200, "body": "ok"}"#) == .pass)
    #expect(try await outcome(#""expect": {"status": 201}"#) == .fail)
    #expect(try await outcome(#""expect": {"body": "no"}"#) == .fail)
    #expect(try await outcome(#""expect": {"error": ["any"]}"#) == .fail)
    #expect(try await outcome(#""expect": {"status": 201, "or": [{"status": 200}]}"#) == .pass)
  }

  @Test func anAlternativeAppliesToTransportsWithItsCapability() async throws {
    let members = #""expect": {"status": 201, "or": [{"needs": ["decodesContent"], "status": 200}]}"#
    #expect(try await outcome(members) == .fail)
    #expect(try await outcome(members, declaring: [.decodesContent]) == .pass)
  }

  @Test func theServerHasToSeeAsManyRequestsAsAreSent() async throws {
    #expect(try await outcome(#""expect": {}"#) == .pass)
    #expect(try await outcome(#""expect": {}"#, sending: 2) == .fail)
    #expect(try await outcome(#""expect": {}"#, sending: 0) == .fail)
    // Who may fail may have sent nothing, and who may be refused too.
    #expect(try await outcome(#""expect": {"or": [{"error": ["any"]}]}"#, sending: 0) == .pass)
    #expect(try await outcome(#""expect": {}, "sawIfSent": []"#, sending: 0) == .pass)
  }

  @Test func comparesTheLengthBeforeReading() async throws {
    @Sendable func streamed(_ length: Int64?) -> @Sendable (Request) async throws -> Response {
      { _ in
        let chunks = AsyncStream<Bytes> { continuation in
          continuation.yield("ok")
          continuation.finish()
        }
        return Response(.ok, body: Response.Body(chunks, length: length))
      }
    }
    #expect(try await outcome(#""expect": {"length": 2}"#, streamed(2)) == .pass)
    #expect(try await outcome(#""expect": {"length": 2}"#, streamed(nil)) == .fail)
    #expect(try await outcome(#""expect": {"length": null}"#, streamed(nil)) == .pass)
    #expect(try await outcome(#""expect": {"length": null}"#, streamed(2)) == .fail)
    // Whatever is expected, it has to be the true one.
    #expect(try await outcome(#""expect": {}"#, streamed(nil)) == .pass)
    #expect(try await outcome(#""expect": {}"#, streamed(3)) == .fail)
  }

  @Test func whatTheServerHasToSeeIsLookedAtIfItWasSent() async throws {
    // The transport answers by itself, so that the server of the script sees nothing.
    let line = #"[{"startLine": "GET / HTTP/1.1"}]"#
    #expect(try await outcome(#""expect": {}, "saw": "# + line, sending: 0) == .fail)
    #expect(try await outcome(#""expect": {}, "sawIfSent": "# + line, sending: 0) == .pass)
    let wrong = try check(#""sawIfSent": [{"startLine": "PUT / HTTP/1.1"}]"#, #", "inProcess": true"#)
    #expect(await Subject(inProcess: "Scripted") { HandlerTransport($0) }.run(wrong).outcome == .fail)
  }
}

/// Declares something else than the transport that it stands on.
private struct Declaring: TransportWrapper {
  let transport: any Transport
  let capabilities: TransportCapabilities

  init(_ transport: HandlerTransport, _ capabilities: TransportCapabilities?) {
    self.transport = transport
    self.capabilities = capabilities ?? transport.capabilities
  }

  func send(_ request: Request) async throws -> Response { try await transport.send(request) }
}
