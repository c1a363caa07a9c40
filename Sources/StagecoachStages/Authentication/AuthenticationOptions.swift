public import StagecoachCore

extension RequestOptions {
  static let credential = RequestOption<Credential?>("credential", default: nil)

  /// The credential of one request; `nil` by default.
  ///
  /// It belongs to the origin of the request as the caller created it: a redirect to another origin removes it, even
  /// if a later redirect leads back. It must be set on the request itself: put a client's credentials into the
  /// ``CredentialStore`` of its stage, where each belongs to an origin.
  ///
  /// If it is not set, user information in the URL of the request is used, as in `https://name:password@host/`. User
  /// information is removed from the URL and never sent as part of it.
  public var credential: Credential? {
    get {
      guard !isSet(Self.credential), let known = self[Self.userInformation] else {
        return self[Self.credential]
      }
      return Credential(user: known.user, password: known.password ?? "")
    }
    set { self[Self.credential] = newValue }
  }

  /// Whether the request has a credential of its own, including one in its URL.
  var hasCredential: Bool { isSet(Self.credential) || isSet(Self.userInformation) }

  static let usesStoredCredentials = RequestOption<Bool>("usesStoredCredentials", default: true)

  /// Whether credentials of the stage's ``CredentialStore`` may be used, including remembered ones; `true` by default.
  public var usesStoredCredentials: Bool {
    get { self[Self.usesStoredCredentials] }
    set { self[Self.usesStoredCredentials] = newValue }
  }

  static let authenticationAttempts = RequestOption<Int>("authenticationAttempts", default: 3)

  /// The maximum number of credentials tried for a request, each time the stages above send it; 3 by default. With 0
  /// the stage ignores the request.
  ///
  /// Sending a valid credential again with a new nonce does not count (RFC 7616 3.3, `stale`).
  public var authenticationAttempts: Int {
    get { self[Self.authenticationAttempts] }
    set { self[Self.authenticationAttempts] = newValue }
  }

  static let allowsPlainCredentials = RequestOption<Bool>("allowsPlainCredentials", default: false)

  /// Whether credentials that others can read in transit (Basic, Bearer) may be sent over `http`; `false` by default.
  ///
  /// They may always be sent to this machine.
  public var allowsPlainCredentials: Bool {
    get { self[Self.allowsPlainCredentials] }
    set { self[Self.allowsPlainCredentials] = newValue }
  }

  static let authenticationSchemes = RequestOption<[String]?>("authenticationSchemes", default: nil)

  /// The names of the schemes that may answer a challenge; `nil`, the default, for all schemes of the stage.
  public var authenticationSchemes: [String]? {
    get { self[Self.authenticationSchemes] }
    set { self[Self.authenticationSchemes] = newValue }
  }
}

extension RequestOptions {
  private static let authenticatedUser = RequestOption<String?>(
    "authenticatedUser",
    default: nil,
    distinguishes: false
  )

  /// For whom ``Authentication`` has answered, in words that stay the same from request to request, unlike the field;
  /// `nil` if it has not, or has sent a token.
  package var authenticatedUser: String? {
    get { self[Self.authenticatedUser] }
    set { self[Self.authenticatedUser] = newValue }
  }
}
