/// A URI reference (RFC 3986 4.1) taken apart in one pass over its octets, which it borrows: it must not
/// outlive the call that lent them.
struct URIReference {
  /// Nil if the reference is relative.
  private var isSecure: Bool?
  private var authority: URIAuthority?
  private var tail: URITail

  /// - Parameters:
  ///   - octets: The reference; spaces and tabs around it are ignored.
  ///   - userInformation: What to do with user information before the host.
  init(
    _ octets: UnsafeBufferPointer<UInt8>,
    userInformation: TargetURI.UserInformationRule
  ) throws(URIError) {
    guard octets.count <= TargetURI.maximumLength else { throw URIError(.tooLong) }
    let octets = UnsafeBufferPointer(rebasing: octets.trimmed)
    var position = 0
    if let length = Self.schemeLength(octets) {
      isSecure = try Self.isSecure(octets, schemeLength: length)
      position = length + 1
    }
    if try Self.hasAuthority(octets, at: position) {
      position += 2
      var end = position
      while end < octets.count, !Self.endsAuthority(octets[end]) {
        end += 1
      }
      authority = try URIAuthority(
        UnsafeBufferPointer(rebasing: octets[position..<end]),
        userInformation: userInformation
      )
      position = end
    } else if isSecure != nil {
      throw URIError(.missingAuthority)
    }
    tail = try URITail(UnsafeBufferPointer(rebasing: octets[position...]))
  }

  /// Resolves the reference (RFC 3986 5.2.2); without a base it has to be absolute.
  func resolved(against base: TargetURI?) throws(URIError) -> TargetURI {
    guard let isSecure = isSecure ?? base?.isSecure else { throw URIError(.missingScheme) }
    if let authority {
      let target = try tail.encoded(behind: .authority, room: room(for: authority.host))
      return TargetURI(isSecure: isSecure, host: authority.host, port: authority.port, target: target)
    }
    guard let base else { throw URIError(.missingScheme) }
    let target = try tail.encoded(behind: .base(base), room: room(for: base.host))
    return TargetURI(on: base, target: target)
  }

  /// Returns the number of octets left for the text after the authority.
  private func room(for host: String) -> Int {
    TargetURI.maximumLength - "https://".utf8.count - host.utf8.count - ":65535".utf8.count
  }

  private static func endsAuthority(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: "/") || octet == UInt8(ascii: "?") || octet == UInt8(ascii: "#")
  }

  private static func schemeLength(_ octets: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let first = octets.first, first.isLetterOfURI else { return nil }
    var end = 1
    while end < octets.count, octets[end].isSchemeOctet {
      end += 1
    }
    return end < octets.count && octets[end] == UInt8(ascii: ":") ? end : nil
  }

  private static func isSecure(
    _ octets: UnsafeBufferPointer<UInt8>,
    schemeLength: Int
  ) throws(URIError) -> Bool {
    let scheme = octets[..<schemeLength]
    if scheme.lazy.map({ $0 | 0x20 }).elementsEqual("http".utf8) { return false }
    if scheme.lazy.map({ $0 | 0x20 }).elementsEqual("https".utf8) { return true }
    throw URIError(.unsupportedScheme, excerpt: String(decoding: scheme.prefix(100), as: UTF8.self))
  }

  /// Returns whether there are two slashes. A backslash instead of one is refused, because browsers read it as a slash
  /// and other clients as part of the path.
  private static func hasAuthority(
    _ octets: UnsafeBufferPointer<UInt8>,
    at position: Int
  ) throws(URIError) -> Bool {
    guard octets.count - position >= 2 else { return false }
    let slash = UInt8(ascii: "/")
    let backslash = UInt8(ascii: "\\")
    switch (octets[position], octets[position + 1]) {
    case (slash, slash): return true
    case (slash, backslash), (backslash, slash), (backslash, backslash): throw URIError(.backslash)
    default: return false
    }
  }
}
