#if CURL
  import HTTPTypes
  import StagecoachCore

  /// The destination of a request: its origin, and the form that curl takes.
  struct Place: Hashable {
    let isSecure: Bool
    let authority: String

    /// The parts of the authority of a request.
    struct Parts {
      let hostAndPort: HostAndPort
      let port: Int
      /// The URL of the root, without parts that must not reach curl.
      let url: String
      /// The value of the Host field.
      let hostField: String
    }

    /// Creates the place of a request with a complete head.
    ///
    /// - Throws: `ExchangeError` of kind `invalidRequest`.
    init(_ head: HTTPRequest) throws {
      switch head.scheme {
      case "https": isSecure = true
      case "http": isSecure = false
      default:
        throw ExchangeError(
          .unsupported,
          "libcurl is asked for http and https here, not \(head.scheme ?? "nothing")"
        )
      }
      authority = head.authority ?? ""
    }

    var scheme: String { isSecure ? "https" : "http" }

    /// Returns the parts of the authority.
    ///
    /// - Throws: `ExchangeError` of kind `invalidRequest` if it is not a valid host and port.
    func parts() throws -> Parts {
      guard let parsed = HostAndPort(authority), Self.isHost(parsed) else {
        throw ExchangeError(
          .invalidRequest,
          "\"\(authority)\" is not a host and port that can be connected to",
          advice: "write an international name as its A-label, and leave user information out"
        )
      }
      let shown: String
      if parsed.isBracketed {
        shown = "[\(parsed.host)\(parsed.zone.map { "%25\($0)" } ?? "")]"
      } else {
        shown = parsed.host
      }
      let port = parsed.port.map { ":\($0)" } ?? ""
      return Parts(
        hostAndPort: parsed,
        port: parsed.port ?? (isSecure ? 443 : 80),
        url: "\(scheme)://\(shown)\(port)/",
        hostField: parsed.hostField(scheme: scheme)
      )
    }

    /// Whether curl parses the host unchanged: characters that end a host in a URL, or are decoded in it, are refused.
    private static func isHost(_ parsed: HostAndPort) -> Bool {
      func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
      }
      guard !parsed.host.isEmpty, parsed.zone?.utf8.allSatisfy(isPlain) != false else { return false }
      if parsed.isBracketed { return parsed.ipAddress?.count == 16 }
      return parsed.host.utf8.allSatisfy(isPlain)
    }
  }
#endif
