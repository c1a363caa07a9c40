/// A way to prove who one is (RFC 9110 11.1): Basic, Digest, Bearer, or one's own.
///
/// A scheme that sends the same text each time needs no more than this:
///
/// ```swift
/// struct KeyScheme: AuthenticationScheme {
///   let name = "Key"
///   func session(
///     for challenge: AuthenticationChallenge?,
///     in space: ProtectionSpace,
///     with credential: Credential
///   ) -> (any AuthenticationSession)? {
///     credential.password.map(KeySession.init)
///   }
/// }
///
/// struct KeySession: AuthenticationSession {
///   let key: String
///   func authorize(_ request: Request) -> Authorization? { Authorization("Key \(key)") }
///   func coverage(of target: String) -> Int? { 0 }  // from now on it is sent with each request
/// }
///
/// var authentication = try Authentication(user: "", password: "k-123", for: "https://api.example.com")
/// authentication.schemes.insert(KeyScheme(), at: 0)
/// ```
///
/// The stage finds the credential, keeps it within its origin, counts attempts and sends the request again; a
/// scheme never sees the credential of another origin.
public protocol AuthenticationScheme: Sendable {
  /// The name of the scheme, such as `Digest`; its case does not matter.
  var name: String { get }

  /// Whether somebody who reads the field can use the credential himself, so that it goes over https alone; true
  /// by default.
  var revealsCredential: Bool { get }

  /// How strong an answer to a challenge would be, compared with other challenges of the same scheme; nil if this
  /// one cannot be answered. 0 by default.
  ///
  /// Of equally strong ones the first is answered.
  func strength(of challenge: AuthenticationChallenge) -> Int?

  /// Makes what answers the challenges of a protection space.
  ///
  /// - Parameters:
  ///   - challenge: The challenge; nil for a credential that is sent before anybody asked.
  ///   - space: Whom the credential is for; the realm is empty where there is no challenge.
  ///   - credential: The credential.
  /// - Returns: Nil if the scheme cannot do it.
  /// - Throws: ``ExchangeError`` of kind `authentication(.invalidCredential)` if the scheme cannot write the
  ///   credential.
  func session(
    for challenge: AuthenticationChallenge?,
    in space: ProtectionSpace,
    with credential: Credential
  ) throws -> (any AuthenticationSession)?
}

extension AuthenticationScheme {
  /// True.
  public var revealsCredential: Bool { true }
  /// 0
  public func strength(of challenge: AuthenticationChallenge) -> Int? { 0 }
}

/// A credential in use in a protection space: it makes the Authorization fields of all requests there, from many
/// tasks at once.
public protocol AuthenticationSession: Sendable {
  /// Makes the value of the Authorization field for a request, new for each one that is sent.
  ///
  /// - Returns: Nil to send the request without.
  /// - Throws: ``ExchangeError``; `CancellationError`.
  func authorize(_ request: Request) async throws -> Authorization?

  /// How closely the session covers a request target, such as `/a/b?c`: nil if requests for it are sent without
  /// credentials until the server asks, else a number that is larger the narrower the space is. Nil by default.
  func coverage(of target: String) -> Int?

  /// Learns from another challenge that the session can answer. Nothing by default.
  func learn(_ challenge: AuthenticationChallenge, from request: Request)

  /// Looks at the response to a request that was not refused. Nothing by default.
  ///
  /// - Throws: ``ExchangeError`` to refuse the response.
  func received(_ response: inout Response, to request: Request, with authorization: Authorization) throws

  /// Decides on a refusal: a response with 401 (or 407 of a proxy) to a request that carried this session's field.
  ///
  /// - Parameters:
  ///   - refusal: The challenge of this session's scheme and realm in the response, if there is one, and how often
  ///     this session was refused for this request before.
  ///   - request: The request.
  ///   - authorization: What it carried.
  /// - Returns: The session to send the request again with, because the credential may still be good; nil, which is
  ///   the default, if it is not.
  func refused(_ refusal: AuthenticationRefusal, to request: Request, with authorization: Authorization)
    async throws -> (any AuthenticationSession)?
}

extension AuthenticationSession {
  /// Nil.
  public func coverage(of target: String) -> Int? { nil }
  /// Learns nothing.
  public func learn(_ challenge: AuthenticationChallenge, from request: Request) {}
  /// Nothing to do.
  public func received(_ response: inout Response, to request: Request, with authorization: Authorization) {}
  /// Nil: the credential is not good.
  public func refused(
    _ refusal: AuthenticationRefusal,
    to request: Request,
    with authorization: Authorization
  ) -> (any AuthenticationSession)? { nil }
}

/// The value of an Authorization field (RFC 9110 11.6.2), and what its session wants to remember of it.
public struct Authorization: Sendable {
  /// The value of the field: scheme and credentials.
  public var value: String
  /// Whatever the session wants back with the response, such as a nonce.
  public var memo: (any Sendable)?

  /// A value.
  public init(_ value: String, memo: (any Sendable)? = nil) {
    self.value = value
    self.memo = memo
  }
}

/// A response that refuses credentials which were sent.
public struct AuthenticationRefusal: Sendable {
  /// The challenge of the session's scheme and realm; nil if the response has none.
  public var challenge: AuthenticationChallenge?
  /// How often sessions of this credential were refused for this request before.
  public var earlier: Int

  /// A refusal.
  public init(challenge: AuthenticationChallenge?, earlier: Int = 0) {
    self.challenge = challenge
    self.earlier = earlier
  }
}

extension Authorization: CustomStringConvertible, CustomReflectable {
  /// The scheme, without what it sends.
  public var description: String { "Authorization(\(value.prefix { $0 != " " }))" }

  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
