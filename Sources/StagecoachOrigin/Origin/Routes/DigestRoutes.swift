#if Tool
  import NIOCore
  import NIOHTTP1
  import StagecoachCore
  import StagecoachStages
  import Synchronization

  /// Digest (RFC 7616): `/digest-auth/{user}/{password}`.
  ///
  /// The expected response is computed here from the formulas of the RFC; only the grammar of the field and the hashes
  /// are those of the library.
  enum DigestRoutes {
    static let table: [String: Route] = ["/digest-auth": Route(parameters: 2, intake: .collect, answer)]

    private static let realm = "origin"

    @Sendable private static func answer(_ request: IncomingRequest, _ state: OriginState) throws(Refusal)
      -> Outcome
    {
      let terms = try Terms(request)
      func ask(isStale: Bool = false) -> Outcome {
        AuthenticationRoutes.challenge(
          by: .origin,
          terms.challenge(nonce: state.digestNonces.make(), isStale: isStale)
        )
      }
      let limit = state.configuration.echoedBodyLimit
      guard request.length <= limit else {
        throw Refusal(.payloadTooLarge, "/digest-auth takes at most \(limit) bytes, not \(request.length)")
      }
      guard let sent = Answer(request), terms.fit(sent) else { return ask() }
      // An answer for another target is not a wrong password (RFC 7616 3.4.6).
      guard sent.uri == request.head.uri else { throw Refusal("the uri of the answer is not the target") }
      let content = request.body.readableBytesView
      let expected = terms.proof(of: sent, method: request.head.method.rawValue, content)
      guard sent.response == expected else { return ask() }
      switch state.digestNonces.use(sent.nonce, sent.count, atMost: terms.uses) {
      case .stale: return ask(isStale: true)
      case .repeated: return ask()
      case .good: break
      }
      let json: JSONValue = ["authenticated": true, "user": .string(terms.user)]
      var reply = Reply(json: json)
      let proof = terms.proof(of: sent, method: "", json.encoded().readableBytesView)
      reply.fields.add(
        name: "Authentication-Info",
        value:
          #"rspauth="\#(proof)", qop=\#(sent.quality), cnonce="\#(sent.clientNonce)", nc=\#(sent.countText)"#
      )
      return .reply(reply)
    }

    /// The requirements of the target.
    private struct Terms {
      let user: String
      let password: String
      let algorithmName: String
      let algorithm: DigestAlgorithm
      let qualities: String
      let uses: Int

      init(_ request: IncomingRequest) throws(Refusal) {
        user = request.parameter(0)
        password = request.parameter(1)
        algorithmName = request.query("algorithm") ?? "SHA-256"
        guard let algorithm = DigestAlgorithm(algorithmName), !algorithm.isSession else {
          throw Refusal("algorithm must be MD5, SHA-256 or SHA-512-256")
        }
        self.algorithm = algorithm
        qualities = request.query("qop") ?? "auth"
        guard ["auth", "auth-int", "auth,auth-int"].contains(qualities) else {
          throw Refusal("qop must be auth, auth-int or auth,auth-int")
        }
        uses = try request.number("uses", default: 1000, in: 1...1_000_000)
      }

      func challenge(nonce: String, isStale: Bool) -> String {
        #"Digest realm="\#(DigestRoutes.realm)", nonce="\#(nonce)", qop="\#(qualities)", algorithm=\#(algorithmName)"#
          + (isStale ? ", stale=true" : "")
      }

      /// Whether an answer is one to such a challenge.
      func fit(_ sent: Answer) -> Bool {
        sent.realm == DigestRoutes.realm && sent.user == user
          && qualities.split(separator: ",").contains(Substring(sent.quality))
      }

      /// The response of RFC 7616 3.4.1, and with an empty method and the content of the reply the `rspauth` of 3.5.
      func proof(of sent: Answer, method: String, _ content: some Sequence<UInt8>) -> String {
        var message = "\(method):\(sent.uri)"
        if sent.quality == "auth-int" { message += ":" + hash(Array(content)) }
        let key = hash(Array("\(user):\(DigestRoutes.realm):\(password)".utf8))
        let parts = [
          key, sent.nonce, sent.countText, sent.clientNonce, sent.quality, hash(Array(message.utf8)),
        ]
        return hash(Array(parts.joined(separator: ":").utf8))
      }

      private func hash(_ bytes: [UInt8]) -> String {
        var hash = algorithm.makeHash()
        hash.update(Bytes(bytes))
        return hash.digest().hexadecimal
      }
    }

    /// The answer of the client.
    private struct Answer {
      let user, realm, nonce, uri, response, quality, clientNonce, countText: String
      let count: Int

      init?(_ request: IncomingRequest) {
        guard let field = request.head.headers.first(name: "Authorization"),
          let sent = AuthenticationChallenge.parse(field).challenges.first, sent.isScheme("Digest"),
          let user = sent[parameter: "username"], let realm = sent.realm,
          let nonce = sent[parameter: "nonce"],
          let uri = sent[parameter: "uri"], let response = sent[parameter: "response"],
          let quality = sent[parameter: "qop"], let clientNonce = sent[parameter: "cnonce"],
          let countText = sent[parameter: "nc"], countText.utf8.count == 8,
          let count = Int(countText, radix: 16)
        else { return nil }
        (self.user, self.realm, self.nonce, self.uri) = (user, realm, nonce, uri)
        (self.response, self.quality, self.clientNonce) = (response, quality, clientNonce)
        (self.countText, self.count) = (countText, count)
      }
    }
  }

  /// The nonces that an origin gave out, and the highest count that each was used with.
  final class DigestNonces: Sendable {
    enum Use {
      case good, stale, repeated
    }

    private static let limit = 10_000

    private let counts = Mutex<[String: Int]>([:])

    func make() -> String {
      let nonce = String(UInt64.random(in: .min ... .max), radix: 16)
      counts.withLock { counts in
        if counts.count == Self.limit { counts = [:] }
        counts[nonce] = 0
      }
      return nonce
    }

    func use(_ nonce: String, _ count: Int, atMost uses: Int) -> Use {
      counts.withLock { counts in
        guard let last = counts[nonce], count <= uses else { return .stale }
        guard count > last else { return .repeated }
        counts[nonce] = count
        return .good
      }
    }
  }
#endif
