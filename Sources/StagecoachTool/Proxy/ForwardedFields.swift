#if Tool
  import HTTPTypes
  import Stagecoach

  /// The fields that an intermediary passes on, and those that it adds (RFC 9110 7.6).
  enum ForwardedFields {
    private static let via = HTTPField.Name("Via")!
    /// The name of all these proxies in Via (RFC 9110 7.6.3).
    private static let pseudonym = "stagecoach"
    /// The name of this process, with which a request that comes back to it is recognized.
    private static let ownName = "\(pseudonym)-\(String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16))"

    /// Fields that end at each connection (RFC 9110 7.6.1).
    private static let ofConnection: Set<String> = [
      "connection", "http2-settings", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]
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

    /// Returns the fields without those of the connection.
    static func withoutConnection(_ fields: HTTPFields) -> HTTPFields { without([], fields) }

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
      let named = Set(
        fields[values: .connection].flatMap { $0.split(separator: ",") }.map { option in
          option.trimmingPrefix { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased()
        }
      )
      var result = HTTPFields()
      result.reserveCapacity(fields.count + 2)
      for field in fields {
        let name = readName(field.name)
        guard !ofConnection.contains(name), !names.contains(name), !named.contains(field.name.canonicalName),
          !drops(name)
        else {
          continue
        }
        result.append(field)
      }
      return result
    }

    /// The name as services read it that keep fields as variables, in lower case: these take `X_Forwarded_For` for
    /// `X-Forwarded-For` (RFC 3875 4.1.18).
    private static func readName(_ name: HTTPField.Name) -> String {
      let name = name.canonicalName
      func isPlain(_ octet: UInt8) -> Bool {
        0x61...0x7a ~= octet || 0x30...0x39 ~= octet || octet == UInt8(ascii: "-")
      }
      guard !name.utf8.allSatisfy(isPlain) else { return name }
      return String(decoding: name.utf8.map { isPlain($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    }
  }
#endif
