import StagecoachCore

/// A credential: a name and password, or a token.
///
/// ```swift
/// var request = Request.get("https://api.example.com/me")
/// request.options.credential = Credential(user: "ada", password: "secret")
/// ```
///
/// Descriptions of a credential never show its contents.
public struct Credential: Sendable, Hashable {
  enum Secret: Hashable {
    case password(user: String, password: String)
    case token(String)
    case source(TokenSource)
  }

  let secret: Secret

  /// The realm that the credential is for; `nil` for every realm of its origin (RFC 9110 11.5).
  public var realm: String?

  /// Whether the credential is sent before the server asks: a password with Basic, a token with Bearer.
  public var isPreemptive: Bool

  /// Creates a credential of a name and a password.
  ///
  /// - Parameters:
  ///   - user: The name; may be empty.
  ///   - password: The password; may be empty.
  ///   - realm: The realm that it is for; `nil`, the default, for every realm of its origin.
  ///   - isPreemptive: Whether to send it with Basic before the server asks; `false` by default.
  public init(user: String, password: String, realm: String? = nil, isPreemptive: Bool = false) {
    secret = .password(user: user, password: password)
    self.realm = realm
    self.isPreemptive = isPreemptive
  }

  /// Creates a credential of a bearer token that is never renewed, sent from the first request on (RFC 6750).
  public init(token: String) {
    secret = .token(token)
    isPreemptive = true
  }

  /// Creates a credential of renewable bearer tokens, sent from the first request on (RFC 6750).
  public init(tokens: TokenSource) {
    secret = .source(tokens)
    isPreemptive = true
  }

  /// The name; `nil` for a token.
  public var user: String? {
    if case .password(let user, _) = secret { user } else { nil }
  }

  /// The password; `nil` for a token.
  public var password: String? {
    if case .password(_, let password) = secret { password } else { nil }
  }

  /// The token, if it is never renewed; `nil` otherwise.
  public var token: String? {
    if case .token(let token) = secret { token } else { nil }
  }

  /// Whether the credential changes over time, so that a refusal is not permanent.
  var isRenewable: Bool {
    if case .source = secret { true } else { false }
  }
}

extension Credential: CustomStringConvertible, CustomReflectable {
  /// The kind of the credential, without its contents.
  public var description: String {
    switch secret {
    case .password: "Credential(name and password)"
    case .token: "Credential(token)"
    case .source: "Credential(renewed token)"
    }
  }

  /// An empty mirror, so that the contents are not shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
