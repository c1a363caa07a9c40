extension RequestOptions {
  static let credential = RequestOption<Credential?>("credential", default: nil)

  /// The credential of one request; none by default.
  ///
  /// It belongs to the origin of the request as the caller made it: a redirect to another origin does not take it
  /// along, nor does a redirect from there back again. It counts only where it is set on the request itself: a
  /// client's credentials are in the ``CredentialStore`` of its stage, where each has an origin.
  ///
  /// User information in the URL of the request, as in `https://name:password@host/`, stands for one where none is set.
  /// It is taken out of the URL, and never sent as part of it.
  public var credential: Credential? {
    get { self[Self.credential] }
    set { self[Self.credential] = newValue }
  }

  static let usesStoredCredentials = RequestOption<Bool>("usesStoredCredentials", default: true)

  /// Whether credentials of the stage's ``CredentialStore``, and what was learned with them, may be used; true by
  /// default.
  public var usesStoredCredentials: Bool {
    get { self[Self.usesStoredCredentials] }
    set { self[Self.usesStoredCredentials] = newValue }
  }

  static let authenticationAttempts = RequestOption<Int>("authenticationAttempts", default: 3)

  /// How many credentials are tried for a request, each time that it is sent by the stages above; 3 by default. With
  /// 0 the stage leaves the request alone.
  ///
  /// A new nonce for a credential that was good does not count (RFC 7616 3.3, `stale`).
  public var authenticationAttempts: Int {
    get { self[Self.authenticationAttempts] }
    set { self[Self.authenticationAttempts] = newValue }
  }

  static let allowsPlainCredentials = RequestOption<Bool>("allowsPlainCredentials", default: false)

  /// Whether credentials that anybody on the way can read (Basic, Bearer) may go over `http`; false by default.
  ///
  /// To this machine they may go anyhow.
  public var allowsPlainCredentials: Bool {
    get { self[Self.allowsPlainCredentials] }
    set { self[Self.allowsPlainCredentials] = newValue }
  }

  static let authenticationSchemes = RequestOption<[String]?>("authenticationSchemes", default: nil)

  /// The names of the schemes that may answer a challenge; nil, the default, for all of the stage.
  public var authenticationSchemes: [String]? {
    get { self[Self.authenticationSchemes] }
    set { self[Self.authenticationSchemes] = newValue }
  }
}
