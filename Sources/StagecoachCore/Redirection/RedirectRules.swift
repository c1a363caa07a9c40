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

extension RequestOptions {
  static let redirectPolicy = RequestOption<RedirectPolicy?>("redirectPolicy", default: nil)

  /// What to do with redirects, for this request alone; nil for what the stage says.
  public var redirectPolicy: RedirectPolicy? {
    get { self[Self.redirectPolicy] }
    set { self[Self.redirectPolicy] = newValue }
  }

  static let redirectLimit = RequestOption<Int?>("redirectLimit", default: nil)

  /// How many redirects are followed in a row, for this request alone; nil for what the stage says.
  public var redirectLimit: Int? {
    get { self[Self.redirectLimit] }
    set { self[Self.redirectLimit] = newValue }
  }

  static let redirectRules = RequestOption<RedirectRules?>("redirectRules", default: nil)

  /// The switches of redirects, for this request alone; nil for what the stage says.
  public var redirectRules: RedirectRules? {
    get { self[Self.redirectRules] }
    set { self[Self.redirectRules] = newValue }
  }
}
