public import StagecoachCore

/// An authentication scheme: Basic, Digest, Bearer, or a custom one (RFC 9110 11.1).
///
/// A scheme that sends the same text each time is as short as this:
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
/// The stage finds the credential, binds it to its origin, counts attempts and sends the request again; a scheme never
/// sees the credential of another origin.
public protocol AuthenticationScheme: Sendable {
  /// The name of the scheme, such as `Digest`; its case is ignored.
  var name: String { get }

  /// Whether the field reveals the credential, so that it must only be sent over https; `true` by default.
  var revealsCredential: Bool { get }

  /// Returns the strength of the answer to a challenge, compared with other challenges of the same scheme; `nil` if
  /// the challenge cannot be answered. 0 by default.
  ///
  /// Of equally strong challenges, the first one is answered.
  func strength(of challenge: AuthenticationChallenge) -> Int?

  /// Creates a session for a protection space.
  ///
  /// - Parameters:
  ///   - challenge: The challenge; `nil` for a credential that is sent before the server asks.
  ///   - space: The protection space; its realm is empty if there is no challenge.
  ///   - credential: The credential.
  /// - Returns: The session; `nil` if the scheme cannot use the challenge or the credential.
  /// - Throws: ``ExchangeError`` of kind `authentication(.invalidCredential)` if the scheme cannot encode the
  ///   credential.
  func session(
    for challenge: AuthenticationChallenge?,
    in space: ProtectionSpace,
    with credential: Credential
  ) throws -> (any AuthenticationSession)?
}

extension AuthenticationScheme {
  /// The default: the field reveals the credential.
  public var revealsCredential: Bool { true }
  /// The default: all challenges are equally strong.
  public func strength(of challenge: AuthenticationChallenge) -> Int? { 0 }
}

/// A credential in use in a protection space. It creates the Authorization fields of all requests there, from several
/// tasks at once.
public protocol AuthenticationSession: Sendable {
  /// Returns the value of the Authorization field for a request; called for each request that is sent.
  ///
  /// - Returns: The value; `nil` to send the request without the field.
  /// - Throws: ``ExchangeError``; `CancellationError`.
  func authorize(_ request: Request) async throws -> Authorization?

  /// Returns how closely the session covers a request target, such as `/a/b?c`: a larger number for a narrower space,
  /// or `nil` if requests for it are sent without credentials until the server asks. `nil` by default.
  func coverage(of target: String) -> Int?

  /// Updates the session with a new challenge. Does nothing by default.
  func learn(_ challenge: AuthenticationChallenge, from request: Request)

  /// Checks the response to a request that was not refused. Does nothing by default.
  ///
  /// - Throws: ``ExchangeError`` to refuse the response.
  func received(_ response: inout Response, to request: Request, with authorization: Authorization) throws

  /// Decides how to handle a refusal: a 401 response (407 from a proxy) to a request with this session's field.
  ///
  /// - Parameters:
  ///   - refusal: The challenge with this session's scheme and realm, if the response has one, and the number of
  ///     earlier refusals of this session for the request.
  ///   - request: The request.
  ///   - authorization: The credentials that the request had.
  /// - Returns: The session with which to send the request again, if the credential may still be valid; `nil`, the
  ///   default, if it is not.
  func refused(_ refusal: AuthenticationRefusal, to request: Request, with authorization: Authorization)
    async throws -> (any AuthenticationSession)?
}

extension AuthenticationSession {
  /// Returns `nil`: the session covers no target.
  public func coverage(of target: String) -> Int? { nil }
  /// Does nothing.
  public func learn(_ challenge: AuthenticationChallenge, from request: Request) {}
  /// Does nothing.
  public func received(_ response: inout Response, to request: Request, with authorization: Authorization) {}
  /// Returns `nil`: the credential is not valid.
  public func refused(
    _ refusal: AuthenticationRefusal,
    to request: Request,
    with authorization: Authorization
  ) -> (any AuthenticationSession)? { nil }
}

/// The value of an Authorization field, with data that its session needs later (RFC 9110 11.6.2).
public struct Authorization: Sendable {
  /// The value of the field: scheme and credentials.
  public var value: String
  /// Data that is passed to the session with the response, such as a nonce.
  public var memo: (any Sendable)?

  /// Creates an authorization.
  public init(_ value: String, memo: (any Sendable)? = nil) {
    self.value = value
    self.memo = memo
  }
}

/// The refusal of credentials in a response.
public struct AuthenticationRefusal: Sendable {
  /// The challenge with the session's scheme and realm; `nil` if the response has none.
  public var challenge: AuthenticationChallenge?
  /// The number of earlier refusals of this credential for the request.
  public var earlier: Int

  /// Creates a refusal.
  public init(challenge: AuthenticationChallenge?, earlier: Int = 0) {
    self.challenge = challenge
    self.earlier = earlier
  }
}

extension Authorization: CustomStringConvertible, CustomReflectable {
  /// The scheme, without the credentials.
  public var description: String { "Authorization(\(value.prefix { $0 != " " }))" }

  /// An empty mirror, so that the credentials are not shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
