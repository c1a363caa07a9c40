import HTTPTypes

/// The password proved by a hash (RFC 7616): MD5, SHA-256 and SHA-512/256, each also as a session (`-sess`).
///
/// Of several challenges the first one of the server counts that is not MD5, else the first. A nonce serves until the
/// server calls it stale or names the next one; its counts are given out one by one, whatever requests run at once. A
/// server that takes counts in order alone refuses those that overtake one another: such a request is sent again with a
/// nonce that no other request uses, which also is what tells an old nonce from a wrong password.
///
/// ```swift
/// var digest = DigestScheme()
/// digest.requiresServerProof = true
/// var authentication = try Authentication(user: "ada", password: "secret", for: "https://files.example.com")
/// authentication.schemes = [digest]
/// ```
public struct DigestScheme: AuthenticationScheme {
  /// Whether a server may offer no quality of protection, as those of RFC 2069; true by default. Then who reads along
  /// can use a response for other requests, as long as the nonce lives.
  public var allowsMissingQuality = true

  /// Whether the content of requests and responses is covered where the server offers it (`auth-int`); false by
  /// default, for then content is read twice.
  public var prefersIntegrity = false

  /// Whether the server has to prove in each response that it knows the password too (RFC 7616 3.5, `rspauth`); false
  /// by default, since few servers do.
  ///
  /// A response without a right proof then fails with ``ExchangeError`` of kind
  /// `authentication(.serverNotAuthentic)`: at once, or at the end of its body if the proof covers that or follows it.
  public var requiresServerProof = false

  /// In what charset name and password are hashed: UTF-8, unless an old server wants another one.
  public var charset = Charset.utf8

  /// The scheme.
  public init() {}

  /// `Digest`
  public var name: String { "Digest" }

  /// False: no password can be had from a response.
  public var revealsCredential: Bool { false }

  /// 0 for MD5 and 1 for better algorithms; nil for an unknown algorithm or quality of protection.
  public func strength(of challenge: AuthenticationChallenge) -> Int? {
    try? DigestChallenge(challenge, allowsMissingQuality: allowsMissingQuality).strength
  }

  /// A session of a name and a password; nil for a token, or without a challenge.
  public func session(
    for challenge: AuthenticationChallenge?,
    in space: ProtectionSpace,
    with credential: Credential
  ) throws -> (any AuthenticationSession)? {
    guard let user = credential.user, let password = credential.password,
      let digest = challenge.flatMap({
        try? DigestChallenge($0, allowsMissingQuality: allowsMissingQuality)
      })
    else { return nil }
    return DigestSession(self, digest, space, user: user, password: password)
  }
}
