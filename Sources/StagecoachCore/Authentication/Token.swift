/// A bearer token (RFC 6750 2.1) and how long it is good for.
public struct Token: Sendable, Hashable {
  /// The token.
  public var value: String
  /// How long it is good for from when it was given (`expires_in` of RFC 6749 5.1); nil if nobody says.
  public var lifetime: Duration?

  /// A token.
  public init(_ value: String, lifetime: Duration? = nil) {
    self.value = value
    self.lifetime = lifetime
  }

  /// Whether it can be sent: one or more of the characters that RFC 6750 2.1 allows, then any `=`.
  var isSendable: Bool { value.isToken68 }

  /// What is thrown in place of sending another one.
  static func unsendable(_ reason: AuthenticationFailure) -> ExchangeError {
    ExchangeError(
      .authentication(reason),
      "the token holds characters that RFC 6750 2.1 does not allow",
      advice: "give the token as the server sent it, without quotes or blanks around it"
    )
  }
}

extension Token: CustomStringConvertible, CustomReflectable {
  /// How long it is good for, without the token.
  public var description: String { lifetime.map { "Token(good for \(Format.duration($0)))" } ?? "Token" }

  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
