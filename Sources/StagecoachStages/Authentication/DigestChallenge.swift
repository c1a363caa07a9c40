import StagecoachCore

/// A supported challenge of the Digest scheme (RFC 7616 3.3).
package struct DigestChallenge: Sendable, Hashable {
  /// The quality of protection: whether the digest covers only the head of the message or also its content (`qop`).
  package enum Quality: String, Sendable, Hashable {
    case authentication = "auth"
    case integrity = "auth-int"
  }

  /// The name of the protection space; empty if the challenge has none.
  package let realm: String
  /// The server's nonce: from the challenge, or the next nonce that the server has announced.
  package var nonce: String
  /// The opaque value that the server expects back unchanged, even if it is empty.
  package let opaque: String?
  /// The name of the algorithm as it was sent; `nil` if the challenge has none.
  package let algorithmName: String?
  /// The algorithm.
  package let algorithm: DigestAlgorithm
  /// The offered and supported qualities of protection; empty for a server of RFC 2069, which offers none.
  package let qualities: Set<Quality>
  /// Whether the credentials were valid and only the nonce expired.
  package let isStale: Bool
  /// Whether the server requests a hash of the user name.
  package let wantsUserHash: Bool
  /// Whether the server declares support for UTF-8.
  package let declaresUTF8: Bool
  /// The URI references of the protection space; empty for the whole server.
  package let domain: [String]

  /// The reason that a challenge is not supported.
  package enum Refusal: Error, Sendable, Hashable {
    /// The challenge uses another scheme, or has no parameters.
    case notDigest
    /// There is no nonce.
    case missingNonce
    /// The algorithm is unknown.
    case unknownAlgorithm(String)
    /// None of the offered qualities of protection is known.
    case unknownQuality(String)
    /// No quality of protection is offered, which is only allowed for MD5 without a session.
    case missingQuality
    /// Only `auth-int` is offered, and the content of the request cannot be hashed before sending it.
    case needsContentDigest
  }

  /// Creates a Digest challenge from a challenge.
  ///
  /// - Parameters:
  ///   - challenge: A challenge of any scheme.
  ///   - allowsMissingQuality: Whether a server may offer no quality of protection (RFC 2069), in which case an
  ///     eavesdropper can use the response for other requests.
  package init(_ challenge: AuthenticationChallenge, allowsMissingQuality: Bool = true) throws(Refusal) {
    guard challenge.isScheme("Digest"), challenge.token68 == nil else { throw .notDigest }
    guard let nonce = challenge[parameter: "nonce"], !nonce.isEmpty else { throw .missingNonce }
    realm = challenge.realm ?? ""
    self.nonce = nonce
    opaque = challenge[parameter: "opaque"]
    algorithmName = challenge[parameter: "algorithm"]
    if let algorithmName {
      guard let algorithm = DigestAlgorithm(algorithmName) else { throw .unknownAlgorithm(algorithmName) }
      self.algorithm = algorithm
    } else {
      algorithm = .md5
    }
    let offered = challenge[parameter: "qop"] ?? ""
    let members = offered.split { $0 == "," || $0 == " " || $0 == "\t" }
    qualities = Set(members.compactMap { Quality(rawValue: $0.lowercased()) })
    if qualities.isEmpty {
      guard members.isEmpty else { throw .unknownQuality(offered) }
      guard allowsMissingQuality, algorithm == .md5 else { throw .missingQuality }
    }
    isStale = Self.isTrue(challenge[parameter: "stale"])
    wantsUserHash = Self.isTrue(challenge[parameter: "userhash"])
    declaresUTF8 = challenge[parameter: "charset"]?.equalsIgnoringASCIICase("UTF-8") == true
    let references = (challenge[parameter: "domain"] ?? "").split { $0 == " " || $0 == "\t" }
    domain = references.prefix(Self.maximumDomainCount).map(String.init)
  }

  /// The maximum number of references; each request to the server is compared with all of them.
  private static let maximumDomainCount = 64

  private static func isTrue(_ value: String?) -> Bool { value?.equalsIgnoringASCIICase("true") == true }

  /// The rank of the answer among the challenges of a response: the first challenge is preferred (RFC 7616 3.7),
  /// unless it uses MD5 and another one does not.
  package var strength: Int { algorithm.hash == .md5 ? 0 : 1 }

  /// Returns the quality of protection to use: `auth`, unless the content should be covered or only `auth-int` is
  /// offered; `nil` if the server offers none.
  ///
  /// - Parameters:
  ///   - prefersIntegrity: Whether to cover the content if the server offers it.
  ///   - canHashContent: Whether the content can be read before it is sent.
  /// - Throws: ``Refusal/needsContentDigest`` if only `auth-int` is offered and the content cannot be hashed.
  package func quality(prefersIntegrity: Bool, canHashContent: Bool) throws(Refusal) -> Quality? {
    if canHashContent, qualities.contains(.integrity), prefersIntegrity || qualities.count == 1 {
      return .integrity
    }
    if qualities == [.integrity] { throw .needsContentDigest }
    return qualities.isEmpty ? nil : .authentication
  }
}

extension DigestChallenge.Refusal: CustomStringConvertible {
  /// A description on one line.
  package var description: String {
    switch self {
    case .notDigest: "it is not a Digest challenge"
    case .missingNonce: "it has no nonce"
    case .unknownAlgorithm(let name): "its algorithm \"\(Format.oneLine(name))\" is unknown"
    case .unknownQuality(let text): "its quality of protection \"\(Format.oneLine(text))\" is unknown"
    case .missingQuality: "it offers no quality of protection (qop)"
    case .needsContentDigest: "it requires a hash of a request body that can be read only once"
    }
  }
}
