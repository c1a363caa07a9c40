public import StagecoachCore

/// The reason that authentication ended an exchange.
@nonexhaustive
public enum AuthenticationFailure: String, StageFailure {
  /// The challenge handler cancelled the exchange.
  case cancelled
  /// The scheme cannot encode the credential.
  case invalidCredential
  /// The token could not be renewed.
  case refreshFailed
  /// The token was not renewed in time.
  case refreshTimedOut
  /// The server did not provide the required proof that it knows the password (RFC 7616 3.5).
  case serverNotAuthentic

  /// The stable name, such as `authentication.cancelled`.
  public var description: String { "authentication.\(rawValue)" }

  /// Advice to check the credential and the handler.
  public var advice: String? { "check the credential, or the challenge handler" }
}

extension ExchangeError.Kind {
  /// A failure of authentication.
  public static func authentication(_ failure: AuthenticationFailure) -> Self {
    .stageFailure(failure)
  }
}
