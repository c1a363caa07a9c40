/// Why authentication ended an exchange.
@nonexhaustive
public enum AuthenticationFailure: String, Sendable, Hashable {
  /// The challenge handler cancelled the exchange.
  case cancelled
  /// The credential cannot be written in the scheme that has to carry it.
  case invalidCredential
  /// The token could not be renewed.
  case refreshFailed
  /// The token was not renewed in time.
  case refreshTimedOut
  /// The server did not prove that it knows the password, which was demanded (RFC 7616 3.5).
  case serverNotAuthentic
}
