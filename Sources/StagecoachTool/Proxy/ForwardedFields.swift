#if Tool
  import HTTPTypes
  import Stagecoach

  /// The fields that an intermediary passes on, and those that it adds (RFC 9110 7.6).
  enum ForwardedFields {
    private static let via = HTTPField.Name("Via")!
    /// The name of the proxy in Via.
    static let pseudonym = "stagecoach"

    /// Fields that end at each connection (RFC 9110 7.6.1).
    private static let ofConnection: Set<String> = [
      "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]
    /// Fields of requests that end at this proxy: the framing is made anew, the server has answered the expectation, and
    /// what a client says of who it came from is not to be believed.
    private static let ofRequest: Set<String> = [
      "content-length", "expect", "forwarded", "proxy-authorization",
    ]
    private static let ofResponse: Set<String> = ["proxy-authenticate", "proxy-authentication-info"]

    /// Returns the fields of a request for the upstream.
    ///
    /// - Parameter version: The version in which the request arrived.
    static func request(_ fields: HTTPFields, version: HTTPVersion) -> HTTPFields {
      var result = without(ofRequest, fields) { $0.hasPrefix("x-forwarded-") }
      result.append(passage(version))
      return result
    }

    /// Returns the fields of a response for the client.
    ///
    /// - Parameter version: The version in which the response arrived.
    static func response(_ fields: HTTPFields, version: HTTPVersion) -> HTTPFields {
      var result = without(ofResponse, fields)
      result.append(passage(version))
      return result
    }

    /// How often a request came through proxies like this one.
    static func passages(_ fields: HTTPFields) -> Int {
      fields[values: via].joined(separator: ",").split(separator: ",").count { $0.hasSuffix(" \(pseudonym)") }
    }

    private static func passage(_ version: HTTPVersion) -> HTTPField {
      let number = version.major < 2 ? "\(version.major).\(version.minor)" : "\(version.major)"
      return HTTPField(name: via, value: "\(number) \(pseudonym)")
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
        let name = field.name.canonicalName
        guard !ofConnection.contains(name), !names.contains(name), !named.contains(name), !drops(name) else {
          continue
        }
        result.append(field)
      }
      return result
    }
  }
#endif
