import HTTPTypes
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachStages

@Suite(.timeLimit(.minutes(1))) struct DigestSessionTests {
  /// Digest whose first nonce has one use left.
  private struct Worn: AuthenticationScheme {
    let name = "Digest"
    let sessions = Counter()

    func session(
      for challenge: AuthenticationChallenge?,
      in space: ProtectionSpace,
      with credential: Credential
    ) -> (any AuthenticationSession)? {
      guard let challenge = challenge.flatMap({ try? DigestChallenge($0) }) else { return nil }
      let used: UInt32 = sessions.add() == 1 ? .max - 1 : 0
      return DigestSession(DigestScheme(), challenge, space, user: "ada", password: "x", used: used)
    }
  }

  @Test("2.5 nc: at ffffffff a new nonce is asked for") func theCountDoesNotWrap() async throws {
    let nonces = Counter()
    let transport = HandlerTransport { request in
      guard request.authorization == nil else { return Response(.ok) }
      return .challenge("Digest realm=\"r\", nonce=\"n\(nonces.add())\", qop=\"auth\"")
    }
    var stage = try Authentication(user: "ada", password: "x", for: "https://h")
    stage.schemes = [Worn()]
    let client = try stage.client(over: transport)
    for _ in 0..<3 { #expect(try await client.send(.get("https://h/")).status == .ok) }
    let uses = transport.requests.map { request in
      let sent = request.authorization.flatMap { AuthenticationChallenge.parse($0).challenges.first }
      return sent.map { "\($0[parameter: "nonce"] ?? "") \($0[parameter: "nc"] ?? "")" }
    }
    #expect(uses == [nil, "n1 ffffffff", nil, "n2 00000001", "n2 00000002"])
  }
}
