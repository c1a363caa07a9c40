/// A cookie as a file tells of it, before it is checked.
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

  /// The cookie, checked as one of a response would be, but for where that came from.
  func cookie(_ suffixes: PublicSuffixList, now: Int64) throws(CookieRejection) -> Cookie {
    // What a Set-Cookie field cannot say would be read as something else by the next server.
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

/// What became of the cookies of a file.
public struct CookieImport: Sendable, Hashable {
  /// A cookie that was not stored.
  public struct Skipped: Sendable, Hashable {
    /// The number of its line in a Netscape file, of its element in a JSON file; the first is 1.
    public let position: Int
    /// Why it was not stored.
    public let reason: CookieRejection
  }

  /// How many cookies were stored.
  public internal(set) var stored = 0
  /// The ones that were not.
  public internal(set) var skipped: [Skipped] = []
}

/// The cookies of a jar as a file holds them.
public struct CookieExport: Sendable {
  /// The content of the file.
  public let bytes: Bytes
  /// The cookies that the format cannot hold.
  public let omitted: [Cookie]
}
