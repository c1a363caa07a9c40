import StagecoachCore

/// The reason that a cookie was not stored.
@nonexhaustive
public enum CookieRejection: String, Error, Sendable, Hashable, CustomStringConvertible {
  /// The field contains a control character.
  case controlCharacter
  /// The name and the value are both empty.
  case empty
  /// The name and the value are longer than 4096 octets together.
  case tooLong
  /// The domain is not an ASCII host name.
  case invalidDomain
  /// The domain is a public suffix, under which anyone can register names.
  case publicSuffix
  /// The host of the response does not belong to the domain.
  case domainMismatch
  /// A Secure cookie was received over an insecure connection.
  case insecureSource
  /// The cookie would shadow a Secure cookie of the same name over an insecure connection.
  case shadowsSecure
  /// `SameSite=None` requires Secure.
  case sameSiteNone
  /// The response is to a cross-site request, where only cookies with `SameSite=None` are stored.
  case crossSite
  /// The name starts with `__Secure-` or `__Host-`, whose requirements the cookie does not meet.
  case prefix
  /// The policy of the client or the request refused it.
  case policy
  /// The cookie of a file has expired.
  case expired
  /// The line or member of a file is malformed.
  case malformed

  /// A short description.
  public var description: String {
    switch self {
    case .controlCharacter: "it contains a control character"
    case .empty: "it has neither name nor value"
    case .tooLong: "name and value are longer than \(CookiePair.maximumCount) octets"
    case .invalidDomain: "its domain is not a host name"
    case .publicSuffix: "its domain is a public suffix"
    case .domainMismatch: "the host does not belong to its domain"
    case .insecureSource: "it is Secure but was received over an insecure connection"
    case .shadowsSecure: "it would shadow a Secure cookie"
    case .sameSiteNone: "SameSite=None requires Secure"
    case .crossSite: "the request came from another site"
    case .prefix: "it does not meet the requirements of its name prefix"
    case .policy: "the policy refuses it"
    case .expired: "it has expired"
    case .malformed: "it is malformed"
    }
  }
}
