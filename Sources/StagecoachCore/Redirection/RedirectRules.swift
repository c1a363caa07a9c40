/// Switches of ``Redirects``, each off by default because it is the less safe or the less usual way.
public struct RedirectRules: Sendable, Hashable {
  /// Whether a redirect from https to http is followed. Off: it is an error of kind `redirect(.insecure)`.
  public var allowsInsecure = false

  /// Whether a `Referer` is sent (RFC 9110 10.1.3): the URL that redirected, without user information and fragment;
  /// to another origin, only its origin; from https to http, nothing. It takes the place of the caller's.
  public var sendsReferer = false

  /// Whether a `Location` with user information before the host is an error of kind `redirect(.userInformation)`.
  /// Off: the information is left out. It is never used as a credential (RFC 9110 4.2.4).
  public var refusesUserInformation = false

  /// Whether a redirect that would need content which exists once to be sent again is an error of kind
  /// `bodyNotReplayable`. Off: the 3xx is the response.
  public var failsOnOneShotBodies = false

  /// All switches off.
  public init() {}
}

/// What to do with redirects, for this request alone; nil for what the stage says.
public enum RedirectPolicyOption: RequestOptionKey {
  /// What the stage says.
  public static let defaultValue: RedirectPolicy? = nil
  /// `redirectPolicy`
  public static let name = "redirectPolicy"
}

/// How many redirects are followed in a row, for this request alone; nil for what the stage says.
public enum RedirectLimit: RequestOptionKey {
  /// What the stage says.
  public static let defaultValue: Int? = nil
  /// `redirectLimit`
  public static let name = "redirectLimit"
}

/// The switches of redirects, for this request alone; nil for what the stage says.
public enum RedirectRulesOption: RequestOptionKey {
  /// What the stage says.
  public static let defaultValue: RedirectRules? = nil
  /// `redirectRules`
  public static let name = "redirectRules"
}

extension RequestOptions {
  /// See ``RedirectPolicyOption``.
  public var redirectPolicy: RedirectPolicy? {
    get { self[RedirectPolicyOption.self] }
    set { self[RedirectPolicyOption.self] = newValue }
  }

  /// See ``RedirectLimit``.
  public var redirectLimit: Int? {
    get { self[RedirectLimit.self] }
    set { self[RedirectLimit.self] = newValue }
  }

  /// See ``RedirectRulesOption``.
  public var redirectRules: RedirectRules? {
    get { self[RedirectRulesOption.self] }
    set { self[RedirectRulesOption.self] = newValue }
  }
}
