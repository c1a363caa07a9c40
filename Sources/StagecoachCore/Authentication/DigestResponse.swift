/// The answer to a Digest challenge in one request (RFC 7616 3.4), and what the server must prove in turn.
///
/// ```swift
/// let challenge = try DigestChallenge(received)
/// let clientNonce = DigestResponse.makeClientNonce(random)
/// let key = try DigestKey(for: challenge, user: "ada", password: "secret", clientNonce: clientNonce)
/// let response = DigestResponse(
///   challenge: challenge, key: key, quality: .authentication, nonceCount: 1, clientNonce: clientNonce,
///   method: "GET", uri: "/a?b=c"
/// )
/// request.fields[.authorization] = response.value
/// ```
package struct DigestResponse: Sendable {
  /// The challenge, with the nonce that is answered.
  package let challenge: DigestChallenge
  /// The user's key.
  package let key: DigestKey
  /// The quality of protection; nil only for a server that offers none.
  package let quality: DigestChallenge.Quality?
  /// How often the nonce was used, this time included; not sent without a quality.
  package let nonceCount: UInt32
  /// Ours, at least 128 random bits; that of the first response of a session.
  package let clientNonce: String
  /// The method, such as `GET`.
  package let method: String
  /// The request target, octet for octet as it is sent.
  package let uri: String
  /// The digest of the content, for the quality `auth-int` alone; of no content if nil.
  package let contentDigest: String?

  /// An answer.
  package init(
    challenge: DigestChallenge,
    key: DigestKey,
    quality: DigestChallenge.Quality?,
    nonceCount: UInt32,
    clientNonce: String,
    method: String,
    uri: String,
    contentDigest: String? = nil
  ) {
    self.challenge = challenge
    self.key = key
    self.quality = quality
    self.nonceCount = nonceCount
    self.clientNonce = clientNonce
    self.method = method
    self.uri = uri
    self.contentDigest = contentDigest
  }

  /// A client nonce: 128 random bits in hexadecimal digits.
  package static func makeClientNonce(_ random: any RandomSource) -> String {
    (random.next().bigEndianBytes + random.next().bigEndianBytes).hexadecimal
  }

  /// The parameter `response`: the proof of the password.
  package var proof: String { proof(method: method, quality: quality, contentDigest: contentDigest) }

  private func proof(method: String, quality: DigestChallenge.Quality?, contentDigest: String?) -> String {
    let algorithm = challenge.algorithm
    let message =
      quality == .integrity
      ? algorithm.digest(method, uri, contentDigest ?? algorithm.digest("")) : algorithm.digest(method, uri)
    guard let quality else { return algorithm.digest(key.digest, challenge.nonce, message) }
    return algorithm.digest(key.digest, challenge.nonce, count, clientNonce, quality.rawValue, message)
  }

  /// The nonce count as it is sent: eight digits.
  private var count: String { nonceCount.bigEndianBytes.hexadecimal }

  /// The value of the Authorization or Proxy-Authorization field, quoted as RFC 7616 3.4 wants it.
  package var value: String {
    var value = "Digest \(key.userParameter), realm=\(challenge.realm.quotedInField)"
    value += ", nonce=\(challenge.nonce.quotedInField), uri=\(uri.quotedInField), response=\"\(proof)\""
    if let name = challenge.algorithmName {
      value += ", algorithm=\(name.isToken ? name : name.quotedInField)"
    }
    if quality != nil || challenge.algorithm.isSession { value += ", cnonce=\(clientNonce.quotedInField)" }
    if let opaque = challenge.opaque { value += ", opaque=\(opaque.quotedInField)" }
    if let quality { value += ", qop=\(quality.rawValue), nc=\(count)" }
    if key.isUserHashed { value += ", userhash=true" }
    return value
  }

  /// Whether the server proved that it knows the password too.
  package enum ServerProof: Sendable, Hashable {
    /// It says nothing (`rspauth` is absent).
    case absent
    /// It proved it.
    case valid
    /// It sent a wrong proof, or one for another request.
    case invalid
    /// Its proof covers the content of the response, of which the digest is needed.
    case needsContentDigest
  }

  /// Checks the proof of the server (RFC 7616 3.5).
  ///
  /// - Parameters:
  ///   - info: The Authentication-Info of the response, or of its trailer.
  ///   - contentDigest: The digest of the content of the response, if it was read.
  package func check(_ info: AuthenticationInfo?, contentDigest: String? = nil) -> ServerProof {
    guard let info, let given = info.responseProof else { return .absent }
    if let nonce = info.clientNonce, nonce != clientNonce { return .invalid }
    if info[parameter: "nc"] != nil, info.nonceCount != nonceCount { return .invalid }
    var quality = quality
    if let name = info.quality {
      quality = DigestChallenge.Quality(rawValue: name.lowercased())
      guard quality != nil else { return .invalid }
    }
    if quality == .integrity, contentDigest == nil { return .needsContentDigest }
    let expected = proof(method: "", quality: quality, contentDigest: contentDigest)
    return given.equalsIgnoringASCIICase(expected) ? .valid : .invalid
  }
}
