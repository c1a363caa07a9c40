import HTTPTypes

/// An origin as a request names it, compared without parsing: scheme and authority in their one form.
struct ServerName: Hashable {
  let isSecure: Bool
  /// Lower-cased, without a default port, as ``TargetURI/authority``.
  let authority: String

  init(_ origin: TargetURI.Origin) {
    isSecure = origin.isSecure
    let isDefault = origin.port == TargetURI.defaultPort(isSecure: origin.isSecure)
    authority = isDefault ? origin.host : "\(origin.host):\(origin.port)"
  }

  /// The server of a request; nil if it names none.
  ///
  /// Allocates nothing for a head that the library made.
  init?(_ head: HTTPRequest) {
    guard let scheme = head.scheme, let authority = head.authority else { return nil }
    if let isSecure = Self.isSecure(scheme), Self.isCanonical(authority, isSecure: isSecure) {
      self.isSecure = isSecure
      self.authority = authority
    } else {
      guard let target = try? TargetURI(parsing: "\(scheme)://\(authority)/") else { return nil }
      isSecure = target.isSecure
      self.authority = target.authority
    }
  }

  /// The origin; nil if the authority is none.
  var origin: TargetURI.Origin? {
    try? TargetURI(parsing: "\(isSecure ? "https" : "http")://\(authority)/").origin
  }

  private static func isSecure(_ scheme: String) -> Bool? {
    scheme == "https" ? true : scheme == "http" ? false : nil
  }

  private static func isCanonical(_ authority: String, isSecure: Bool) -> Bool {
    var last: UInt8 = 0
    for octet in authority.utf8 {
      switch octet {
      case UInt8(ascii: "0") where last == UInt8(ascii: ":"): return false
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"):
        last = octet
      default: return false
      }
    }
    return last != 0 && last != UInt8(ascii: ":") && !authority.hasSuffix(isSecure ? ":443" : ":80")
  }
}
