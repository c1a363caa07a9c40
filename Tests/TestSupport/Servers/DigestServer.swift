import HTTPTypes
package import StagecoachCore
import StagecoachStages
import Synchronization

/// A server that takes Digest responses apart as the RFC says, and wants nonce counts in strict order.
package final class DigestServer: Sendable {
  package struct Settings: Sendable {
    package var realm = "depot"
    package var password = "secret"
    package var algorithm: String? = "SHA-256"
    package var quality = "auth"
    package var domain: String?
    /// Whether counts of a nonce have to rise, as Apache and squid want.
    package var isStrict = true
    /// How often a nonce may be used before it is stale.
    package var uses = Int.max
    /// Whether each answer names the next nonce.
    package var namesNext = false
    package var proves = true
    package var provesWrongly = false
    /// Whether the proof comes as a trailer.
    package var provesLate = false
    package var content = "content"
  }

  package struct Use: Sendable, Hashable {
    package let nonce: String
    package let count: UInt32
  }

  private struct State {
    var issued: [String: UInt32] = [:]
    var uses: [String: Int] = [:]
    var arrived: [Use] = []
    var challenges = 0
    var clientNonces: Set<String> = []
    /// The keys of sessions, which stay whatever nonces follow.
    var keys: [String: DigestKey] = [:]
  }

  package let settings: Settings
  private let state = Mutex(State())

  package init(_ change: (inout Settings) -> Void = { _ in }) {
    var settings = Settings()
    change(&settings)
    self.settings = settings
  }

  /// What came with a right response, in the order of its coming.
  package var arrived: [Use] { state.withLock { $0.arrived } }
  /// How often it refused.
  package var challenges: Int { state.withLock { $0.challenges } }
  package var clientNonces: Set<String> { state.withLock { $0.clientNonces } }

  package var transport: HandlerTransport {
    HandlerTransport(recordLimit: 2000) { request in
      await Task.yield()
      return try await self.answer(request)
    }
  }

  package func answer(_ request: Request) async throws -> Response {
    let content = try await request.body.content()
    return state.withLock { state in
      guard let value = request.authorization,
        let sent = AuthenticationChallenge.parse(value).challenges.first, sent.isScheme("Digest"),
        let nonce = sent[parameter: "nonce"], let text = sent[parameter: "nc"],
        let count = UInt32(text, radix: 16), text.count == 8, let cnonce = sent[parameter: "cnonce"]
      else { return refuse(&state) }
      guard sent[parameter: "uri"] == request.head.path, let challenge = digest(nonce) else {
        return Response(.badRequest)
      }
      state.arrived.append(Use(nonce: nonce, count: count))
      state.clientNonces.insert(cnonce)
      guard let last = state.issued[nonce] else { return refuse(&state, isStale: true) }
      guard let key = key(for: challenge, cnonce, &state) else { return Response(.internalServerError) }
      let quality = sent[parameter: "qop"].flatMap { DigestChallenge.Quality(rawValue: $0) }
      let expected = DigestResponse(
        challenge: challenge,
        key: key,
        quality: quality,
        nonceCount: count,
        clientNonce: cnonce,
        method: request.method.rawValue,
        uri: request.head.path ?? "",
        contentDigest: quality == .integrity ? hash(content, challenge) : nil
      )
      guard settings.quality.contains(quality?.rawValue ?? ""), sent[parameter: "response"] == expected.proof
      else {
        return refuse(&state)
      }
      if settings.isStrict, count <= last { return refuse(&state) }
      state.issued[nonce] = count
      state.uses[nonce, default: 0] += 1
      if state.uses[nonce, default: 0] > settings.uses { return refuse(&state, isStale: true) }
      return accept(&state, expected)
    }
  }

  private func key(for challenge: DigestChallenge, _ cnonce: String, _ state: inout State) -> DigestKey? {
    if challenge.algorithm.isSession, let key = state.keys[cnonce] { return key }
    let key = try? DigestKey(for: challenge, user: "ada", password: settings.password, clientNonce: cnonce)
    state.keys[cnonce] = key
    return key
  }

  private func digest(_ nonce: String) -> DigestChallenge? {
    AuthenticationChallenge.parse(challenge(nonce)).challenges.first.flatMap { try? DigestChallenge($0) }
  }

  private func hash(_ text: String, _ challenge: DigestChallenge) -> String {
    var hash = challenge.algorithm.makeHash()
    hash.update(Bytes(text))
    return hash.digest().hexadecimal
  }

  private func challenge(_ nonce: String, isStale: Bool = false) -> String {
    var text =
      "Digest realm=\"\(settings.realm)\", nonce=\"\(nonce)\", qop=\"\(settings.quality)\", opaque=\"\""
    if let algorithm = settings.algorithm { text += ", algorithm=\(algorithm)" }
    if let domain = settings.domain { text += ", domain=\"\(domain)\"" }
    return isStale ? text + ", stale=true" : text
  }

  private func newNonce(_ state: inout State) -> String {
    let nonce = "nonce-\(state.issued.count)"
    state.issued[nonce] = 0
    return nonce
  }

  private func refuse(_ state: inout State, isStale: Bool = false) -> Response {
    state.challenges += 1
    return .challenge(challenge(newNonce(&state), isStale: isStale))
  }

  private func accept(_ state: inout State, _ expected: DigestResponse) -> Response {
    var info: [String] = []
    if settings.namesNext { info.append("nextnonce=\"\(newNonce(&state))\"") }
    let text = settings.content
    if settings.proves {
      var proof = expected.serverProof(of: hash(text, expected.challenge))
      if settings.provesWrongly { proof = String(proof.reversed()) }
      info.append("rspauth=\"\(proof)\"")
      if let quality = expected.quality { info.append("qop=\(quality.rawValue)") }
    }
    var response = Response(.ok, body: .bytes(Bytes(text)))
    let field = HTTPField(name: .authenticationInfo, value: info.joined(separator: ", "))
    if settings.provesLate {
      response.body = Response.Body(
        source: ScriptedSource(chunks: [Bytes(text)], trailers: [field.name: field.value])
      )
    } else if !info.isEmpty {
      response.fields.append(field)
    }
    return response
  }
}

extension DigestResponse {
  /// What the server has to send (RFC 7616 3.5): the same with an empty method and the content of the response.
  fileprivate func serverProof(of contentDigest: String) -> String {
    DigestResponse(
      challenge: challenge,
      key: key,
      quality: quality,
      nonceCount: nonceCount,
      clientNonce: clientNonce,
      method: "",
      uri: uri,
      contentDigest: contentDigest
    ).proof
  }
}

extension Request.Body {
  fileprivate func content() async throws -> String {
    let source = try makeSource()
    var text = ""
    while let chunk = try await source.next() { text += String(decoding: chunk) }
    return text
  }
}
