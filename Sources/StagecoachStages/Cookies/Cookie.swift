import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A cookie in a ``CookieJar`` (RFC 6265bis).
///
/// Its descriptions never show the value.
public struct Cookie: Sendable, Hashable {
  /// The restriction of a cookie in cross-site requests (RFC 6265bis 5.6.7).
  public enum SameSite: String, Sendable, Hashable {
    /// Never sent with cross-site requests.
    case strict = "Strict"
    /// Sent with cross-site requests that navigate the user to the site with a safe method.
    case lax = "Lax"
    /// Sent with all cross-site requests.
    case none = "None"
    /// Not specified by the server; treated as ``lax``.
    case unspecified = "Default"
  }

  /// The maximum lifetime of a cookie, in seconds: 400 days.
  static let longestLife: Int64 = 400 * 86_400

  let pair: CookiePair
  /// The host that the cookie is for, including all names under it unless it is host-only: in lower-case ASCII,
  /// without a leading dot.
  public let domain: String
  /// Whether the cookie is only for the host ``domain``.
  public let isHostOnly: Bool
  /// The path that the cookie is for, including all paths below it.
  public let path: String
  /// Whether the cookie is only sent over secure connections.
  public let isSecure: Bool
  /// Whether the cookie must only be visible to the client itself.
  public let isHTTPOnly: Bool
  /// The restriction of the cookie in cross-site requests.
  public let sameSite: SameSite
  /// The expiry, in seconds since 1970.
  let expiry: Int64?
  /// The time of creation, in seconds since 1970.
  var creation: Int64
  /// The time of the last use, in seconds since 1970.
  var lastAccess: Int64

  /// The name; empty for a cookie that consists of a value only.
  public var name: String { String(utf8OrLatin1: pair.name) }

  /// The value; `nil` if the cookie is HttpOnly, see ``revealedValue``.
  public var value: String? { isHTTPOnly ? nil : revealedValue }

  /// The value, even if the cookie is HttpOnly. It is a secret.
  public var revealedValue: String { String(utf8OrLatin1: pair.value) }

  /// The expiry, to the second; `nil` for a session cookie.
  public var expires: Date? { expiry.map { Date(timeIntervalSince1970: Double($0)) } }

  /// The time when the cookie was first set, to the second.
  public var created: Date { Date(timeIntervalSince1970: Double(creation)) }

  /// The time when the cookie was last set or sent, to the second.
  public var lastAccessed: Date { Date(timeIntervalSince1970: Double(lastAccess)) }

  /// Checks the rules that apply to all cookies, whatever their source.
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

  /// Returns whether the cookie replaces another one.
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

  /// An empty mirror, so that the value is not shown.
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
