/// The credential of one request; none by default.
///
/// It belongs to the origin of the request as the caller made it: a redirect to another origin does not take it
/// along, nor does a redirect from there back again. It counts only where it is set on the request itself: a
/// client's credentials are in the ``CredentialStore`` of its stage, where each has an origin.
///
/// User information in the URL of the request, as in `https://name:password@host/`, stands for one where none is set.
/// It is taken out of the URL, and never sent as part of it.
public enum CredentialOption: RequestOptionKey {
  /// None.
  public static let defaultValue: Credential? = nil
  /// `credential`
  public static let name = "credential"
}

/// Whether credentials of the stage's ``CredentialStore``, and what was learned with them, may be used; true by
/// default.
public enum StoredCredentialsOption: RequestOptionKey {
  /// True.
  public static let defaultValue = true
  /// `usesStoredCredentials`
  public static let name = "usesStoredCredentials"
}

/// How many credentials are tried for a request, each time that it is sent by the stages above; 3 by default. With
/// 0 the stage leaves the request alone.
///
/// A new nonce for a credential that was good does not count (RFC 7616 3.3, `stale`).
public enum AuthenticationAttemptsOption: RequestOptionKey {
  /// 3.
  public static let defaultValue = 3
  /// `authenticationAttempts`
  public static let name = "authenticationAttempts"
}

/// Whether credentials that anybody on the way can read (Basic, Bearer) may go over `http`; false by default.
///
/// To this machine they may go anyhow.
public enum PlainCredentialsOption: RequestOptionKey {
  /// False.
  public static let defaultValue = false
  /// `allowsPlainCredentials`
  public static let name = "allowsPlainCredentials"
}

/// The names of the schemes that may answer a challenge; nil, the default, for all of the stage.
public enum AuthenticationSchemesOption: RequestOptionKey {
  /// All of the stage.
  public static let defaultValue: [String]? = nil
  /// `authenticationSchemes`
  public static let name = "authenticationSchemes"
}

extension RequestOptions {
  /// See ``CredentialOption``.
  public var credential: Credential? {
    get { self[CredentialOption.self] }
    set { self[CredentialOption.self] = newValue }
  }

  /// See ``StoredCredentialsOption``.
  public var usesStoredCredentials: Bool {
    get { self[StoredCredentialsOption.self] }
    set { self[StoredCredentialsOption.self] = newValue }
  }

  /// See ``AuthenticationAttemptsOption``.
  public var authenticationAttempts: Int {
    get { self[AuthenticationAttemptsOption.self] }
    set { self[AuthenticationAttemptsOption.self] = newValue }
  }

  /// See ``PlainCredentialsOption``.
  public var allowsPlainCredentials: Bool {
    get { self[PlainCredentialsOption.self] }
    set { self[PlainCredentialsOption.self] = newValue }
  }

  /// See ``AuthenticationSchemesOption``.
  public var authenticationSchemes: [String]? {
    get { self[AuthenticationSchemesOption.self] }
    set { self[AuthenticationSchemesOption.self] = newValue }
  }
}
