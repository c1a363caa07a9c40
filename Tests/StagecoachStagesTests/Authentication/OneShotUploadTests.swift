import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// What cannot be sent again is refused once: the next one goes with what the refusal taught.
@Suite(.timeLimit(.minutes(1))) struct OneShotUploadTests {
  private static func upload() -> Request {
    var request = Request.post("https://h/")
    request.body = .oneShot(AsyncStream<Bytes> { $0.finish() }, length: nil)
    return request
  }

  @Test func aRevokedTokenIsRenewedForTheNextUpload() async throws {
    let transport = HandlerTransport { request in
      request.authorization == "Bearer new" ? Response(.ok) : .challenge(#"Bearer error="invalid_token""#)
    }
    let tokens = TokenSource(Token("old")) { _ in Token("new") }
    let log = AuthenticationLog()
    let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport, log)
    #expect(try await client.send(Self.upload()).status == .unauthorized)
    #expect(log.all.last == .passedOn(.bodyNotReplayable))
    #expect(try await client.send(Self.upload()).status == .ok)
    #expect(transport.requests.map(\.authorization) == ["Bearer old", "Bearer new"])
  }

  @Test func aStaleNonceIsReplacedForTheNextUpload() async throws {
    let server = DigestServer { $0.uses = 1 }
    let log = AuthenticationLog()
    let stage = try Authentication(user: "ada", password: "secret", for: "https://h")
    let client = try stage.client(over: server.transport, log)
    #expect(try await client.send(.get("https://h/")).status == .ok)
    #expect(try await client.send(Self.upload()).status == .unauthorized)
    #expect(log.all.last == .passedOn(.bodyNotReplayable))
    #expect(try await client.send(Self.upload()).status == .ok)
    #expect(server.arrived.map(\.nonce) == ["nonce-0", "nonce-0", "nonce-1"])
  }
}
