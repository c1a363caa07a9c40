public import HTTPTypes
public import StagecoachCore

/// An Authentication-Info or Proxy-Authentication-Info field, which a server sends after successful authentication
/// (RFC 9110 11.6.3, RFC 7616 3.5).
public struct AuthenticationInfo: Sendable, Hashable {
  /// The parameters in order, decoded, with lower-case names that do not repeat.
  public let parameters: [FieldParameter]

  /// Reads all fields with a name, as ``AuthenticationChallenge/parse(_:_:)`` reads parameters; `nil` if there is no
  /// parameter, or one has two values.
  ///
  /// - Parameters:
  ///   - fields: The fields or the trailer fields of a response.
  ///   - name: The name of the fields, such as `.authenticationInfo` or `.proxyAuthenticationInfo`.
  public init?(_ fields: HTTPFields, _ name: HTTPField.Name) {
    var parameters: [FieldParameter] = []
    for index in fields.startIndex..<fields.endIndex where fields[index].name == name {
      let read = fields[index].withUnsafeBytesOfValue { ChallengeReader.parameters($0) }
      guard let read else { return nil }
      for parameter in read {
        guard let known = parameters.first(where: { $0.name == parameter.name }) else {
          // The maximum for one field: all known parameters fit.
          if parameters.count < AuthenticationChallenge.maximumParameterCount { parameters.append(parameter) }
          continue
        }
        guard known == parameter else { return nil }
      }
    }
    guard !parameters.isEmpty else { return nil }
    self.parameters = parameters
  }

  /// The value of a parameter, ignoring the case of its name; `nil` if absent.
  public subscript(parameter name: String) -> String? {
    parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  /// The nonce for later requests; `nil` if absent.
  public var nextNonce: String? {
    self[parameter: "nextnonce"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The quality of protection of ``responseProof``: `auth` or `auth-int`.
  public var quality: String? { self[parameter: "qop"] }

  /// The server's proof that it knows the password (`rspauth`), in hexadecimal digits.
  public var responseProof: String? { self[parameter: "rspauth"] }

  /// The client nonce of the request (`cnonce`).
  public var clientNonce: String? { self[parameter: "cnonce"] }

  /// The nonce count of the request (`nc`); `nil` if absent or malformed.
  public var nonceCount: UInt32? { self[parameter: "nc"].flatMap { UInt32($0, radix: 16) } }
}
