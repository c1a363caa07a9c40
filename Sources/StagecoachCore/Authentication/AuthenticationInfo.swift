public import HTTPTypes

/// An Authentication-Info or Proxy-Authentication-Info field: what a server says about credentials that it
/// accepted (RFC 9110 11.6.3, RFC 7616 3.5).
public struct AuthenticationInfo: Sendable, Hashable {
  /// The parameters in order, decoded, their names lower-cased; no name repeats.
  public let parameters: [FieldParameter]

  /// Reads all fields of a name, as ``AuthenticationChallenge/parse(_:_:)`` reads parameters; nil if there is no
  /// parameter, or one has two values.
  ///
  /// - Parameters:
  ///   - fields: The fields or the trailer fields of a response.
  ///   - name: Such as `.authenticationInfo` or `.proxyAuthenticationInfo`.
  public init?(_ fields: HTTPFields, _ name: HTTPField.Name) {
    var parameters: [FieldParameter] = []
    for index in fields.startIndex..<fields.endIndex where fields[index].name == name {
      let read = fields[index].withUnsafeBytesOfValue { ChallengeReader.parameters($0) }
      guard let read else { return nil }
      for parameter in read {
        guard let known = parameters.first(where: { $0.name == parameter.name }) else {
          // As many as one field may have: what is beyond says nothing that is known.
          if parameters.count < AuthenticationChallenge.maximumParameterCount { parameters.append(parameter) }
          continue
        }
        guard known == parameter else { return nil }
      }
    }
    guard !parameters.isEmpty else { return nil }
    self.parameters = parameters
  }

  /// The value of a parameter, its name in any case; nil if there is none.
  public subscript(parameter name: String) -> String? {
    parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  /// The nonce for the requests to come; nil if there is none.
  public var nextNonce: String? {
    self[parameter: "nextnonce"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// How ``responseProof`` protects the response: `auth` or `auth-int`.
  public var quality: String? { self[parameter: "qop"] }

  /// What proves that the server knows the password (`rspauth`), in hexadecimal digits.
  public var responseProof: String? { self[parameter: "rspauth"] }

  /// The client's nonce of the request that is answered (`cnonce`).
  public var clientNonce: String? { self[parameter: "cnonce"] }

  /// The nonce count of the request that is answered (`nc`); nil if there is none or it is no number.
  public var nonceCount: UInt32? { self[parameter: "nc"].flatMap { UInt32($0, radix: 16) } }
}
