#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin

  /// The fields that an intermediary passes on, and those that it adds (RFC 9110 7.6). Those of the connection end in the
  /// server.
  enum ForwardedFields {
    private static let via = HTTPField.Name("Via")!
    /// The name of all these proxies in Via (RFC 9110 7.6.3).
    private static let pseudonym = "stagecoach"
    /// The name of this process, with which a request that comes back to it is recognized.
    private static let ownName = "\(pseudonym)-\(String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16))"

    /// Fields of requests that end at this proxy: the framing is made anew, the server has answered the expectation, what
    /// a client says of where it came from is not to be believed, and its trailer fields are dropped.
    private static let ofRequest: Set<String> = [
      "client-ip", "content-length", "expect", "forwarded", "proxy-authorization", "trailer",
      "true-client-ip",
      "x-client-ip", "x-real-ip",
    ]
    private static let ofResponse: Set<String> = ["proxy-authenticate", "proxy-authentication-info"]
    /// The most proxies like this one that a request passes.
    private static let mostPassages = 10

    /// Returns the fields of a request for the upstream.
    ///
    /// - Parameter version: The version in which the request arrived.
    static func request(_ fields: HTTPFields, version: HTTPVersion) -> HTTPFields {
      var result = without(ofRequest, fields) { $0.hasPrefix("x-forwarded-") }
      result.append(passage(version, by: ownName))
      return result
    }

    /// Returns the fields of a response for the client.
    ///
    /// - Parameter version: The version in which the response arrived.
    static func response(_ fields: HTTPFields, version: HTTPVersion) -> HTTPFields {
      var result = without(ofResponse, fields)
      result.append(passage(version, by: pseudonym))
      return result
    }

    /// Whether a request has passed this proxy before, or too many like it.
    static func isLoop(_ fields: HTTPFields) -> Bool {
      let passages = fields[values: via].joined(separator: ",").split(separator: ",")
      let names = passages.map { $0.split { $0 == " " || $0 == "\t" }.dropFirst().first ?? "" }
      return names.contains { $0 == ownName } || names.count { $0.hasPrefix(pseudonym) } >= mostPassages
    }

    private static func passage(_ version: HTTPVersion, by name: String) -> HTTPField {
      let number = version.major < 2 ? "\(version.major).\(version.minor)" : "\(version.major)"
      return HTTPField(name: via, value: "\(number) \(name)")
    }

    private static func without(
      _ names: Set<String>,
      _ fields: HTTPFields,
      where drops: (String) -> Bool = { _ in false }
    ) -> HTTPFields {
      var result = HTTPFields()
      result.reserveCapacity(fields.count + 2)
      for field in fields {
        let name = ConnectionFields.readName(field.name)
        if !names.contains(name), !drops(name) { result.append(field) }
      }
      return result
    }
  }
#endif
