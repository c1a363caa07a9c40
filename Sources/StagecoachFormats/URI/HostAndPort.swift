/// The host and the port of an authority (RFC 3986 3.2).
public struct HostAndPort: Sendable, Hashable {
  /// The host in lower case, without the brackets of an IPv6 address and without its zone.
  public var host: String
  /// The zone of an IPv6 address, such as `eth0` (RFC 6874).
  public var zone: String?
  /// The port; `nil` if absent.
  public var port: Int?
  /// Whether the host is an IPv6 address in brackets.
  public var isBracketed: Bool

  /// The host without the dot behind a complete name.
  package var name: String { host.hasSuffix(".") ? String(host.dropLast()) : host }

  /// Parses an authority without user information; `nil` if ``TargetURI`` does not accept it.
  public init?(_ authority: some StringProtocol) {
    var text = String(authority)
    let parsed = text.withUTF8 { octets in try? URIAuthority(octets, userInformation: .refuse) }
    guard let parsed else { return nil }
    port = parsed.port
    isBracketed = parsed.host.utf8.first == UInt8(ascii: "[")
    guard isBracketed else {
      host = parsed.host
      return
    }
    let literal = parsed.host.dropFirst().dropLast()
    let mark = literal.firstRange(of: "%25")
    host = String(literal[..<(mark?.lowerBound ?? literal.endIndex)])
    zone = mark.map { String(literal[$0.upperBound...]) }
  }

  /// The host for a connection: with the zone, without brackets.
  public var address: String { zone.map { "\(host)%\($0)" } ?? host }

  /// The 4 or 16 bytes of an IP address; `nil` if the host is a name.
  public var ipAddress: [UInt8]? { IPAddress(host)?.bytes }

  /// Returns the value of a Host field for a scheme: without the zone, and without the default port of the scheme (RFC
  /// 9110 7.2).
  public func hostField(scheme: String) -> String {
    let shown = isBracketed ? "[\(host)]" : host
    guard let port, port != (scheme == "https" ? 443 : 80) else { return shown }
    return "\(shown):\(port)"
  }
}
