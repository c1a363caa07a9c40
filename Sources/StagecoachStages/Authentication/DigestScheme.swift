import HTTPTypes
public import StagecoachCore

/// The Digest scheme, which proves the password by a hash: MD5, SHA-256 and SHA-512/256, each also as a session
/// (`-sess`) (RFC 7616).
///
/// Of several challenges, the first one that does not use MD5 is answered, otherwise the first. A nonce is used until
/// the server marks it as stale or announces another one; concurrent requests use successive counts. A server that
/// accepts counts only in order refuses requests that overtake each other: such a request is sent again with a nonce
/// of its own, which also distinguishes an expired nonce from a wrong password.
///
/// ```swift
/// var digest = DigestScheme()
/// digest.requiresServerProof = true
/// var authentication = try Authentication(user: "ada", password: "secret", for: "https://files.example.com")
/// authentication.schemes = [digest]
/// ```
public struct DigestScheme: AuthenticationScheme {
  /// Whether a server may offer no quality of protection, as in RFC 2069; `true` by default. An eavesdropper can then
  /// use a response for other requests, as long as the nonce is valid.
  public var allowsMissingQuality = true

  /// Whether to protect the content of requests and responses if the server offers it (`auth-int`); `false` by
  /// default, because content is then read twice.
  public var prefersIntegrity = false

  /// Whether the server must prove in each response that it knows the password (`rspauth`); `false` by default,
  /// because few servers do (RFC 7616 3.5).
  ///
  /// A response without a valid proof fails with ``ExchangeError`` of kind `authentication(.serverNotAuthentic)`:
  /// immediately, or at the end of its body if the proof covers or follows the body.
  public var requiresServerProof = false

  /// The charset of the hashed name and password: UTF-8 unless an old server requires another one.
  public var charset = Charset.utf8

  /// Creates the scheme.
  public init() {}

  /// The name of the scheme: `Digest`.
  public var name: String { "Digest" }

  /// Returns `false`: a response does not reveal the password.
  public var revealsCredential: Bool { false }

  /// Returns 0 for MD5 and 1 for better algorithms; `nil` for an unknown algorithm or quality of protection.
  public func strength(of challenge: AuthenticationChallenge) -> Int? {
    try? DigestChallenge(challenge, allowsMissingQuality: allowsMissingQuality).strength
  }

  /// Returns a session for a name and a password; `nil` for a token, or without a challenge.
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
