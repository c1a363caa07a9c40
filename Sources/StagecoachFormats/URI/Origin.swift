public import HTTPTypes

extension TargetURI {
  /// An origin: scheme, host and port. Credentials, cookies, connections, limits and circuits belong to an origin (RFC
  /// 9110 4.3.1).
  ///
  /// Two origins are equal if they name the same server in any spelling: case and an explicit default port are
  /// ignored.
  public struct Origin: Sendable, Hashable {
    /// Whether the scheme is `https`.
    public let isSecure: Bool

    /// The host in lower case, and the port unless it is the default of the scheme: the value of `Host` (RFC 9110
    /// 7.2).
    public let authority: String

    /// One whose authority is in that form.
    init(isSecure: Bool, authority: String) {
      self.isSecure = isSecure
      self.authority = authority
    }

    /// Creates an origin with a lower-case host, with an IPv6 address in brackets.
    package init(isSecure: Bool, host: String, port: Int) {
      let isDefault = port == TargetURI.defaultPort(isSecure: isSecure)
      self.init(isSecure: isSecure, authority: isDefault ? host : "\(host):\(port)")
    }

    /// Creates the origin of a request; `nil` if the head has no scheme or authority, another scheme than `http` and
    /// `https`, or an invalid authority, for example with user information.
    ///
    /// Neither parses nor allocates for a head that the library created.
    public init?(_ head: HTTPRequest) {
      guard let scheme = head.scheme, let authority = head.authority else { return nil }
      self.init(scheme: scheme, authority: authority)
    }

    /// Creates the origin for a scheme and an authority.
    package init?(scheme: String, authority: String) {
      guard let isSecure = Self.isSecure(scheme) else { return nil }
      var authority = authority
      let parsed = authority.withUTF8 { octets in
        Self.isNormal(octets, isSecure: isSecure)
          ? nil
          : Result { () throws(URIError) in
            try URIAuthority(octets, userInformation: .refuse)
          }
      }
      switch parsed {
      case nil: self.init(isSecure: isSecure, authority: authority)
      case .success(let parsed):
        self.init(
          isSecure: isSecure,
          host: parsed.host,
          port: parsed.port ?? TargetURI.defaultPort(isSecure: isSecure)
        )
      case .failure: return nil
      }
    }

    /// The host in lower case, with an IPv6 address in brackets.
    public var host: String { portStart.map { String(Substring(authority.utf8[..<$0])) } ?? authority }

    /// The port to connect to.
    public var port: Int {
      let written = portStart.flatMap { Int(Substring(authority.utf8[$0...].dropFirst())) }
      return written ?? TargetURI.defaultPort(isSecure: isSecure)
    }

    /// The position of the colon before the port, if any.
    private var portStart: String.Index? {
      let octets = authority.utf8
      guard let last = octets.lastIndex(where: { !$0.isDigitOfURI }), octets[last] == UInt8(ascii: ":") else {
        return nil
      }
      return last
    }

    private static func isSecure(_ scheme: String) -> Bool? {
      switch scheme {
      case "https": true
      case "http": false
      default:
        switch scheme.lowercased() {
        case "https": true
        case "http": false
        default: nil
        }
      }
    }

    /// Whether octets are an authority that parsing would leave as it is, as most are: every stage asks, and parsing
    /// allocates.
    private static func isNormal(_ octets: UnsafeBufferPointer<UInt8>, isSecure: Bool) -> Bool {
      guard octets.first != UInt8(ascii: ":") else { return false }
      var port: Int?
      for octet in octets {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
          guard let start = port else { continue }
          let value = start * 10 + Int(octet) - 0x30
          // Neither a leading zero, nor too large.
          guard value > 0, value <= 0xffff else { return false }
          port = value
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."):
          guard port == nil else { return false }
        case UInt8(ascii: ":"):
          guard port == nil else { return false }
          port = 0
        default: return false
        }
      }
      guard let port else { return !octets.isEmpty && octets.count <= URIAuthority.maximumHostLength }
      return port != 0 && port != TargetURI.defaultPort(isSecure: isSecure)
        && octets.count <= URIAuthority.maximumHostLength
    }
  }
}

extension TargetURI.Origin: CustomStringConvertible {
  /// The serialization without a default port: the value of `Origin` (RFC 6454 6.2).
  public var description: String { "\(isSecure ? "https" : "http")://\(authority)" }
}
