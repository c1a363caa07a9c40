import StagecoachCore

/// A bearer token with its lifetime (RFC 6750 2.1).
public struct Token: Sendable, Hashable {
  /// The token.
  public var value: String
  /// The lifetime from the time of issue (`expires_in` of RFC 6749 5.1); `nil` if unknown.
  public var lifetime: Duration?

  /// Creates a token.
  public init(_ value: String, lifetime: Duration? = nil) {
    self.value = value
    self.lifetime = lifetime
  }

  /// Whether the token can be sent: one or more of the characters that RFC 6750 2.1 allows, then any `=`.
  var isSendable: Bool { value.isToken68 }

  /// Returns the error for a token that cannot be sent.
  static func unsendable(_ reason: AuthenticationFailure) -> ExchangeError {
    ExchangeError(
      .authentication(reason),
      "the token contains characters that are not allowed (RFC 6750 2.1)",
      advice: "pass the token as the server sent it, without surrounding quotes or spaces"
    )
  }
}

extension Token: CustomStringConvertible, CustomReflectable {
  /// The lifetime, without the token.
  public var description: String { lifetime.map { "Token(good for \(Format.duration($0)))" } ?? "Token" }

  /// An empty mirror, so that the token is not shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
