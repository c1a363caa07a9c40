package import StagecoachCore

/// The answer to a Digest challenge in one request, and the check of the server's proof (RFC 7616 3.4).
///
/// ```swift
/// let received = AuthenticationChallenge.parse(response.fields, .wwwAuthenticate).challenges
/// let challenge = try DigestChallenge(received[0])
/// let clientNonce = DigestResponse.makeClientNonce(SystemRandom())
/// let key = try DigestKey(for: challenge, user: "ada", password: "secret", clientNonce: clientNonce)
/// let answer = DigestResponse(
///   challenge: challenge, key: key, quality: .authentication, nonceCount: 1, clientNonce: clientNonce,
///   method: "GET", uri: "/a?b=c"
/// )
/// request.fields[.authorization] = answer.value
/// ```
package struct DigestResponse: Sendable {
  /// The challenge, with the nonce to answer.
  package let challenge: DigestChallenge
  /// The user's key.
  package let key: DigestKey
  /// The quality of protection; `nil` for a server that offers none.
  package let quality: DigestChallenge.Quality?
  /// The number of uses of the nonce, including this one; not sent without a quality of protection.
  package let nonceCount: UInt32
  /// The client nonce, at least 128 random bits; in a session, the one of the first response.
  package let clientNonce: String
  /// The method, such as `GET`.
  package let method: String
  /// The request target, exactly as it is sent.
  package let uri: String
  /// The digest of the content, only for `auth-int`; `nil` for no content.
  package let contentDigest: String?

  /// Creates an answer.
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

  /// Returns a client nonce: 128 random bits in hexadecimal digits.
  package static func makeClientNonce(_ random: any RandomSource) -> String {
    (random.next().bigEndianBytes + random.next().bigEndianBytes).hexadecimal
  }

  /// The parameter `response`, which proves the password.
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

  /// The value of the Authorization or Proxy-Authorization field, quoted as required (RFC 7616 3.4).
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

  /// The result of checking the server's proof that it knows the password.
  package enum ServerProof: Sendable, Hashable {
    /// The server sent no proof (`rspauth` is absent).
    case absent
    /// The proof is valid.
    case valid
    /// The proof is wrong, or for another request.
    case invalid
    /// The proof covers the content of the response, whose digest is needed.
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
