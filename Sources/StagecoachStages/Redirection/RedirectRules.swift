public import StagecoachCore

/// Rules of ``Redirects``, each off by default because it is less safe or less common.
public struct RedirectRules: Sendable, Hashable {
  /// Whether to follow redirects from https to http. Off: they are errors of kind `redirect(.insecure)`.
  public var allowsInsecure = false

  /// Whether to send `Referer`: the redirecting URL, without user information and fragment; only its origin if the
  /// redirect leads to another origin; nothing from https to http. Replaces an explicit field (RFC 9110 10.1.3).
  public var sendsReferer = false

  /// Whether a `Location` with user information before the host is an error of kind `redirect(.userInformation)`. Off:
  /// the user information is removed. It is never used as a credential (RFC 9110 4.2.4).
  public var refusesUserInformation = false

  /// Whether a redirect that requires sending a non-replayable body again is an error of kind `bodyNotReplayable`.
  /// Off: the 3xx is the response.
  public var failsOnOneShotBodies = false

  /// Creates rules that are all off.
  public init() {}
}

extension RequestOptions {
  static let redirectPolicy = RequestOption<RedirectPolicy?>("redirectPolicy", default: nil)

  /// The policy for redirects of this request; `nil` for the policy of the stage.
  public var redirectPolicy: RedirectPolicy? {
    get { self[Self.redirectPolicy] }
    set { self[Self.redirectPolicy] = newValue }
  }

  static let redirectLimit = RequestOption<Int?>("redirectLimit", default: nil)

  /// The maximum number of consecutive redirects of this request; `nil` for the limit of the stage.
  public var redirectLimit: Int? {
    get { self[Self.redirectLimit] }
    set { self[Self.redirectLimit] = newValue }
  }

  static let redirectRules = RequestOption<RedirectRules?>("redirectRules", default: nil)

  /// The rules for redirects of this request; `nil` for the rules of the stage.
  public var redirectRules: RedirectRules? {
    get { self[Self.redirectRules] }
    set { self[Self.redirectRules] = newValue }
  }
}
