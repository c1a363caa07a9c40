import HTTPTypes

/// The origin of a request (RFC 9110 4.3.1) as stages look it up: no URI is parsed and nothing is allocated
/// for a head that a client has resolved.
struct OriginKey: Hashable, Sendable, CustomStringConvertible {
  let isSecure: Bool
  /// The host, lower-cased, and the port unless it is the scheme's default.
  let authority: String

  init(_ head: HTTPRequest) {
    let scheme = head.scheme ?? ""
    isSecure = scheme == "https" || scheme.utf8.count == 5 && scheme.lowercased() == "https"
    let authority = head.authority ?? ""
    self.authority = Self.isPlain(authority, isSecure) ? authority : Self.normalized(authority, isSecure)
  }

  init(_ origin: TargetURI.Origin) {
    isSecure = origin.isSecure
    let isDefault = origin.port == TargetURI.defaultPort(isSecure: isSecure)
    authority = isDefault ? origin.host : "\(origin.host):\(origin.port)"
  }

  /// As `http://host:8080`.
  var description: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// The origin in parts, for who reads events and errors.
  @inline(never)
  var origin: TargetURI.Origin {
    (try? TargetURI(parsing: "\(self)/"))?.origin
      ?? TargetURI.Origin(
        isSecure: isSecure,
        host: authority,
        port: TargetURI.defaultPort(isSecure: isSecure)
      )
  }

  /// Whether an authority is one that ``normalized(_:_:)`` would leave as it is, and most are: every hop asks, and that
  /// costs ten times as much.
  private static func isPlain(_ authority: String, _ isSecure: Bool) -> Bool {
    var authority = authority
    return authority.withUTF8 { octets in
      var port: Int?
      for octet in octets {
        switch octet {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "@"), UInt8(ascii: "["): return false
        case UInt8(ascii: ":"):
          guard port == nil else { return false }
          port = 0
        default:
          guard let start = port else { continue }
          let value = start * 10 + Int(octet) - 0x30
          // Neither what is no digit, nor a leading zero, nor too large.
          guard 0x30...0x39 ~= octet, value > 0, value <= 0xffff else { return false }
          port = value
        }
      }
      return port == nil || port != 0 && port != TargetURI.defaultPort(isSecure: isSecure)
    }
  }

  /// The form that ``TargetURI`` gives it; what is no authority stands for itself.
  @inline(never)
  private static func normalized(_ authority: String, _ isSecure: Bool) -> String {
    let text = "\(isSecure ? "https" : "http")://\(authority)/"
    return (try? TargetURI(parsing: text, userInformation: .strip))?.authority ?? authority.lowercased()
  }
}
