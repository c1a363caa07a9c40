/// The host and port of a URI, read from the octets between `//` and the path (RFC 3986 3.2).
struct URIAuthority {
  let host: String
  let port: Int?

  /// The most octets of a host (RFC 3986 3.2.2).
  static let maximumHostLength = 255

  /// - Parameters:
  ///   - octets: The octets between `//` and the next `/`, `?`, `#` or the end.
  ///   - userInformation: The handling of the text before the last `@`.
  init(
    _ octets: UnsafeBufferPointer<UInt8>,
    userInformation: TargetURI.UserInformationRule
  ) throws(URIError) {
    var hostStart = 0
    for (position, octet) in octets.enumerated() {
      if octet.isControlInURI { throw URIError(.controlCharacter) }
      switch octet {
      case UInt8(ascii: "\\"): throw URIError(.backslash)
      // The last one is used: the text before it may contain a stray one, but the host may not.
      case UInt8(ascii: "@"): hostStart = position + 1
      default: break
      }
    }
    if hostStart > 0, userInformation == .refuse { throw URIError(.userInformation) }
    let hostAndPort = UnsafeBufferPointer(rebasing: octets[hostStart...])
    let hostLength = try Self.hostLength(hostAndPort)
    host = try Self.host(UnsafeBufferPointer(rebasing: hostAndPort[..<hostLength]))
    port = try Self.port(hostAndPort[hostLength...])
  }

  private static func hostLength(_ octets: UnsafeBufferPointer<UInt8>) throws(URIError) -> Int {
    let colon = UInt8(ascii: ":")
    if octets.first == UInt8(ascii: "[") {
      guard let bracket = octets.firstIndex(of: UInt8(ascii: "]")) else {
        throw URIError(.invalidIPv6Address, excerpt: excerpt(octets))
      }
      guard bracket + 1 == octets.count || octets[bracket + 1] == colon else {
        throw URIError(.invalidHost, excerpt: excerpt(octets))
      }
      return bracket + 1
    }
    guard let first = octets.firstIndex(of: colon) else { return octets.count }
    guard !octets[(first + 1)...].contains(colon) else {
      throw URIError(.invalidHost, excerpt: excerpt(octets))
    }
    return first
  }

  private static func host(_ octets: UnsafeBufferPointer<UInt8>) throws(URIError) -> String {
    guard let first = octets.first else { throw URIError(.emptyHost) }
    func error(_ reason: URIError.Reason) -> URIError {
      URIError(reason, excerpt: excerpt(octets))
    }
    // The name of a zone keeps its case (RFC 6874).
    var lowercasedEnd = octets.count
    if first == UInt8(ascii: "[") {
      let literal = octets.dropFirst().dropLast()
      let end = literal.firstIndex(of: UInt8(ascii: "%")) ?? literal.endIndex
      guard IPv6Literal.isValid(UnsafeBufferPointer(rebasing: literal[..<end])) else {
        throw error(.invalidIPv6Address)
      }
      guard isZone(literal[end...]) else { throw error(.zoneIdentifier) }
      lowercasedEnd = end
    } else {
      guard octets.count <= maximumHostLength else { throw error(.invalidHost) }
      for octet in octets where !octet.isRegisteredName {
        if octet >= 0x80 { throw error(.nonASCIIHost) }
        throw error(octet == UInt8(ascii: "%") ? .percentInHost : .invalidHost)
      }
    }
    return String(unsafeUninitializedCapacity: octets.count) { buffer in
      for (position, octet) in octets.enumerated() {
        let isUpperCase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet)
        buffer[position] = isUpperCase && position < lowercasedEnd ? octet | 0x20 : octet
      }
      return octets.count
    }
  }

  /// Whether it is nothing, or a percent-encoded percent sign and the name of a zone as interfaces are called.
  private static func isZone(_ octets: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard !octets.isEmpty else { return true }
    let name = octets.dropFirst(3)
    return octets.starts(with: "%25".utf8) && !name.isEmpty && name.count <= 64
      && name.allSatisfy { $0 != UInt8(ascii: "%") && $0.isRegisteredName }
  }

  /// Parses a port; an empty one means no port (RFC 3986 6.2.3).
  private static func port(_ octets: Slice<UnsafeBufferPointer<UInt8>>) throws(URIError) -> Int? {
    let digits = octets.dropFirst()
    if digits.isEmpty { return nil }
    var port = 0
    for digit in digits {
      guard digit.isDigitOfURI else { throw URIError(.invalidPort) }
      port = port * 10 + Int(digit - UInt8(ascii: "0"))
      guard port <= 65535 else { throw URIError(.invalidPort) }
    }
    guard port > 0 else { throw URIError(.invalidPort) }
    return port
  }

  private static func excerpt(_ octets: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: octets.prefix(100), as: UTF8.self)
  }
}
