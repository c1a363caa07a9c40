#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A cookie as a ``CookieJar`` keeps it (RFC 6265bis).
///
/// Its texts and descriptions never show the value.
public struct Cookie: Sendable, Hashable {
  /// Which requests that other sites cause get the cookie (RFC 6265bis 5.6.7).
  public enum SameSite: String, Sendable, Hashable {
    /// None of them.
    case strict = "Strict"
    /// Those that lead the user to the site, with a safe method.
    case lax = "Lax"
    /// All of them.
    case none = "None"
    /// The server did not say; treated as ``lax``.
    case unspecified = "Default"
  }

  /// The longest time that a cookie is kept, in seconds: 400 days.
  static let longestLife: Int64 = 400 * 86_400

  let pair: CookiePair
  /// The host that the cookie is for, and unless it is host-only all names under it: lower-cased, in ASCII,
  /// without a leading dot.
  public let domain: String
  /// Whether the cookie is for the host ``domain`` alone.
  public let isHostOnly: Bool
  /// The path that the cookie is for, with all below it.
  public let path: String
  /// Whether the cookie is for secure connections alone.
  public let isSecure: Bool
  /// Whether the server wants the cookie to be seen by nobody but the client itself.
  public let isHTTPOnly: Bool
  /// Which requests that other sites cause get the cookie.
  public let sameSite: SameSite
  /// When it ends, in seconds since 1970.
  let expiry: Int64?
  /// In seconds since 1970.
  var creation: Int64
  /// In seconds since 1970.
  var lastAccess: Int64

  /// The name; empty for a cookie that is a value alone.
  public var name: String { CookiePair.text(pair.name) }

  /// The value, nil if it is HttpOnly: ask for ``revealedValue`` to see that as well.
  public var value: String? { isHTTPOnly ? nil : revealedValue }

  /// The value, whoever may see it: a secret.
  public var revealedValue: String { CookiePair.text(pair.value) }

  /// When the cookie ends, to the second; nil for one that lasts as long as the session.
  public var expires: Date? { expiry.map { Date(timeIntervalSince1970: Double($0)) } }

  /// When the cookie was first set, to the second.
  public var created: Date { Date(timeIntervalSince1970: Double(creation)) }

  /// When the cookie was last set or sent, to the second.
  public var lastAccessed: Date { Date(timeIntervalSince1970: Double(lastAccess)) }

  /// Checks what holds wherever a cookie comes from.
  ///
  /// - Parameter isPathGiven: Whether the path is not the default one.
  func validated(isPathGiven: Bool) throws(CookieRejection) -> Cookie {
    guard sameSite != .none || isSecure else { throw .sameSiteNone }
    let start = pair.octets.prefix(9).map(\.lowercasedInField)
    let isHost = start.starts(with: "__host-".utf8)
    guard isHost || start.starts(with: "__secure-".utf8) else { return self }
    // Of a cookie without a name the server would take the start of the value for one.
    guard !pair.name.isEmpty, isSecure, !isHost || isHostOnly && isPathGiven && path == "/" else {
      throw .prefix
    }
    return self
  }

  /// Whether it is another version of a cookie: the one takes the place of the other.
  func replaces(_ other: Cookie) -> Bool {
    pair.name == other.pair.name && domain == other.domain && isHostOnly == other.isHostOnly
      && path == other.path
  }
}

extension Cookie: CustomStringConvertible, CustomReflectable {
  /// Name, domain, path and attributes, without the value.
  public var description: String {
    var text = "\(name.isEmpty ? "(nameless)" : name) for \(isHostOnly ? "" : ".")\(domain)\(path)"
    if isSecure { text += "; Secure" }
    if isHTTPOnly { text += "; HttpOnly" }
    if sameSite != .unspecified { text += "; SameSite=\(sameSite.rawValue)" }
    if let expires { text += "; Expires=\(expires.formatted(.iso8601))" }
    return Format.oneLine(text)
  }

  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Date {
  /// The second that a date is in, since 1970.
  var wholeSeconds: Int64 { Int64(clampingSeconds: timeIntervalSince1970.rounded(.down)) }
}

extension Int64 {
  fileprivate init(clampingSeconds seconds: Double) {
    // Far from the limits, so that a sum with any life of a cookie fits.
    self = seconds.isNaN ? 0 : Int64(Swift.min(Swift.max(seconds, -1e15), 1e15))
  }
}
