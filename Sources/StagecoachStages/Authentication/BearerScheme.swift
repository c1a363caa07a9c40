import HTTPTypes
import StagecoachCore

/// The Bearer scheme: tokens in the Authorization field, only over https unless a request allows otherwise (RFC 6750).
///
/// A refused token is renewed once if it has a ``TokenSource``, even if the response contains no challenge. A response
/// that the token is not sufficient is final (403, `insufficient_scope`).
public struct BearerScheme: AuthenticationScheme {
  /// Creates the scheme.
  public init() {}

  /// The name of the scheme: `Bearer`.
  public var name: String { "Bearer" }

  /// Returns a session for a token; `nil` for a password.
  public func session(
    for challenge: AuthenticationChallenge?,
    in space: ProtectionSpace,
    with credential: Credential
  ) throws -> (any AuthenticationSession)? {
    switch credential.secret {
    case .token(let token):
      guard Token(token).isSendable else { throw Token.unsendable(.invalidCredential) }
      return BearerSession(token: token)
    case .source(let source): return RenewedBearerSession(source: source)
    case .password: return nil
    }
  }
}

private struct BearerSession: AuthenticationSession {
  let token: String

  func authorize(_ request: Request) -> Authorization? { Authorization("Bearer \(token)") }

  func coverage(of target: String) -> Int? { 0 }

  func received(_ response: inout Response, to request: Request, with authorization: Authorization) {
    Self.tellOfScope(response, to: request)
  }

  static func tellOfScope(_ response: Response, to request: Request) {
    guard response.status == .forbidden, request.exchange?.isObserved == true else { return }
    for challenge in AuthenticationChallenge.parse(response.fields, .wwwAuthenticate).challenges
    where challenge.isScheme("Bearer") && challenge[parameter: "error"] == "insufficient_scope" {
      request.emit(AuthenticationEvent.insufficientScope(challenge[parameter: "scope"]))
    }
  }
}

private struct RenewedBearerSession: AuthenticationSession {
  let source: TokenSource

  func authorize(_ request: Request) async throws -> Authorization? {
    guard let held = try await source.current(for: request) else { return nil }
    guard held.token.isSendable else { throw Token.unsendable(.invalidCredential) }
    return Authorization("Bearer \(held.token.value)", memo: held.generation)
  }

  func coverage(of target: String) -> Int? { 0 }

  func received(_ response: inout Response, to request: Request, with authorization: Authorization) {
    BearerSession.tellOfScope(response, to: request)
  }

  func refused(
    _ refusal: AuthenticationRefusal,
    to request: Request,
    with authorization: Authorization
  ) async throws -> (any AuthenticationSession)? {
    guard refusal.earlier == 0, let generation = authorization.memo as? Int else { return nil }
    // Only for this error a new token helps (RFC 6750 3.1).
    if let error = refusal.challenge?[parameter: "error"], error != "invalid_token" { return nil }
    guard try await source.renewed(after: generation, for: request) != nil else { return nil }
    return self
  }
}
