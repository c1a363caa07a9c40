/// The host and the port of an authority (RFC 3986 3.2).
package struct HostAndPort: Hashable {
  /// The host as it is written, without the brackets around an IPv6 address and without its zone.
  package var host: String
  /// The zone of an IPv6 address (RFC 6874), such as `eth0`.
  package var zone: String?
  /// The port; nil if none is written.
  package var port: Int?
  /// Whether the host is an IPv6 address in brackets.
  package var isBracketed: Bool

  /// The parts of an authority without user information; nil if the port is no number up to 65535 or a bracket
  /// is missing.
  package init?(_ authority: some StringProtocol) {
    var rest = authority[...]
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      var inner = rest[rest.index(after: rest.startIndex)..<end]
      if let mark = inner.firstRange(of: "%25") ?? inner.firstRange(of: "%") {
        zone = String(inner[mark.upperBound...])
        inner = inner[..<mark.lowerBound]
      }
      host = String(inner)
      isBracketed = true
      rest = rest[rest.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { return nil }
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      host = String(rest[..<end])
      isBracketed = false
      rest = rest[end...]
    }
    guard rest.first == ":" else { return }
    let digits = rest.dropFirst()
    guard !digits.isEmpty else { return }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits), port <= 65_535
    else {
      return nil
    }
    self.port = port
  }

  /// The host as a connection needs it: with the zone, without brackets.
  package var address: String { zone.map { "\(host)%\($0)" } ?? host }

  /// The value of a Host field (RFC 9110 7.2) for a scheme: without the zone, and without the scheme's own port.
  package func hostField(scheme: String) -> String {
    let shown = isBracketed ? "[\(host)]" : host
    guard let port, port != (scheme == "https" ? 443 : 80) else { return shown }
    return "\(shown):\(port)"
  }
}
