/// What a user or a program proves itself with: a name and a password, or a token.
///
/// ```swift
/// var request = Request.get("https://api.example.com/me")
/// request.options.credential = Credential(user: "ada", password: "secret")
/// ```
///
/// Texts made of a credential never show what it holds.
public struct Credential: Sendable, Hashable {
  enum Secret: Hashable {
    case password(user: String, password: String)
    case token(String)
    case source(TokenSource)
  }

  let secret: Secret

  /// The realm (RFC 9110 11.5) that the credential is for; nil for every realm of its origin.
  public var realm: String?

  /// Whether the credential is sent before the server asks for it: a password with Basic, a token with Bearer.
  public var isPreemptive: Bool

  /// A name and a password.
  ///
  /// - Parameters:
  ///   - user: The name; may be empty.
  ///   - password: The password; may be empty.
  ///   - realm: The realm it is for; nil, the default, for every realm of its origin.
  ///   - isPreemptive: Whether it is sent with Basic before the server asks; false by default.
  public init(user: String, password: String, realm: String? = nil, isPreemptive: Bool = false) {
    secret = .password(user: user, password: password)
    self.realm = realm
    self.isPreemptive = isPreemptive
  }

  /// A bearer token (RFC 6750) that is never renewed, sent from the first request on.
  public init(token: String) {
    secret = .token(token)
    isPreemptive = true
  }

  /// Bearer tokens (RFC 6750) of a source that renews them, sent from the first request on.
  public init(tokens: TokenSource) {
    secret = .source(tokens)
    isPreemptive = true
  }

  /// The name; nil for a token.
  public var user: String? {
    if case .password(let user, _) = secret { user } else { nil }
  }

  /// The password; nil for a token.
  public var password: String? {
    if case .password(_, let password) = secret { password } else { nil }
  }

  /// The token that is never renewed; nil for anything else.
  public var token: String? {
    if case .token(let token) = secret { token } else { nil }
  }

  /// Whether what it stands for changes, so that a refusal today says nothing of tomorrow.
  var isRenewable: Bool {
    if case .source = secret { true } else { false }
  }
}

extension Credential: CustomStringConvertible, CustomReflectable {
  /// What kind of credential it is, without what it holds.
  public var description: String {
    switch secret {
    case .password: "Credential(name and password)"
    case .token: "Credential(token)"
    case .source: "Credential(renewed token)"
    }
  }

  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
