public import StagecoachCore

/// A cookie as read from a file, before it is checked.
struct CookieRecord {
  var name: [UInt8]
  var value: [UInt8]
  var domain: String
  var isHostOnly: Bool
  var path: String
  var isSecure = false
  var isHTTPOnly = false
  var sameSite = Cookie.SameSite.unspecified
  /// In seconds since 1970, as are the other times.
  var expiry: Int64?
  var creation: Int64?
  var lastAccess: Int64?

  /// Returns the cookie, checked like a cookie of a response except for its source.
  func cookie(_ suffixes: PublicSuffixList, now: Int64) throws(CookieRejection) -> Cookie {
    // A value that Set-Cookie cannot represent would be read differently by the next server.
    let semicolon = UInt8(ascii: ";")
    guard !name.contains(UInt8(ascii: "=")), !name.contains(semicolon), !value.contains(semicolon) else {
      throw .malformed
    }
    let pair = try CookiePair(name: name, value: value)
    guard !path.utf8.contains(where: { $0.isControlInField || $0 == semicolon }) else {
      throw .controlCharacter
    }
    let plain = domain.utf8.first == UInt8(ascii: ".") ? String(domain.dropFirst()) : domain
    guard let host = CookieHost.canonical(plain), host.utf8.first != UInt8(ascii: ".") else {
      throw .invalidDomain
    }
    guard isHostOnly || !suffixes.isPublicSuffix(host) else { throw .publicSuffix }
    if let expiry, expiry <= now { throw .expired }
    return try Cookie(
      pair: pair,
      domain: host,
      isHostOnly: isHostOnly || suffixes.registrableDomain(of: host) == nil,
      path: path.utf8.first == UInt8(ascii: "/") ? path : "/",
      isSecure: isSecure,
      isHTTPOnly: isHTTPOnly,
      sameSite: sameSite,
      expiry: expiry.map { min($0, now + Cookie.longestLife) },
      creation: min(max(creation ?? now, 0), now),
      lastAccess: min(max(lastAccess ?? now, 0), now)
    ).validated(isPathGiven: true)
  }
}

/// The result of adding the cookies of a file.
public struct CookieImport: Sendable, Hashable {
  /// A cookie that was not stored.
  public struct Skipped: Sendable, Hashable {
    /// The number of its line in a Netscape file, or of its element in a JSON file, from 1.
    public let position: Int
    /// The reason that it was not stored.
    public let reason: CookieRejection
  }

  /// The number of cookies stored.
  public internal(set) var stored = 0
  /// The cookies that were not stored.
  public internal(set) var skipped: [Skipped] = []
}

/// The cookies of a jar as the content of a file.
public struct CookieExport: Sendable {
  /// The content of the file.
  public let bytes: Bytes
  /// The cookies that the format cannot represent.
  public let omitted: [Cookie]
}
