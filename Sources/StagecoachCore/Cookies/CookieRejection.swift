/// Why a cookie was not stored.
@nonexhaustive
public enum CookieRejection: String, Error, Sendable, Hashable, CustomStringConvertible {
  /// The field holds a control character.
  case controlCharacter
  /// There is neither a name nor a value.
  case empty
  /// Name and value have more than 4096 octets.
  case tooLong
  /// The domain is no host name in ASCII.
  case invalidDomain
  /// The domain is one under which anyone can register names.
  case publicSuffix
  /// The host of the response is not in the domain.
  case domainMismatch
  /// A Secure cookie came over an insecure connection.
  case insecureSource
  /// A Secure cookie of the same name is not to be shadowed over an insecure connection.
  case shadowsSecure
  /// `SameSite=None` needs Secure.
  case sameSiteNone
  /// The response is to a request of another site, where only cookies with `SameSite=None` are stored.
  case crossSite
  /// A name that begins with `__Secure-` or `__Host-` promises what the cookie does not keep.
  case prefix
  /// The policy of the client or the request refused it.
  case policy
  /// The cookie of a file has expired.
  case expired
  /// The line or member of a file is no cookie.
  case malformed

  /// The reason in a few words.
  public var description: String {
    switch self {
    case .controlCharacter: "it holds a control character"
    case .empty: "it has neither name nor value"
    case .tooLong: "name and value have more than \(CookiePair.maximumCount) octets"
    case .invalidDomain: "its domain is no host name"
    case .publicSuffix: "its domain is a public suffix"
    case .domainMismatch: "the host is not in its domain"
    case .insecureSource: "it is Secure and came over an insecure connection"
    case .shadowsSecure: "it would shadow a Secure cookie"
    case .sameSiteNone: "SameSite=None needs Secure"
    case .crossSite: "the request came from another site"
    case .prefix: "it does not keep what the prefix of its name promises"
    case .policy: "the policy refuses it"
    case .expired: "it has expired"
    case .malformed: "it is no cookie"
    }
  }
}
