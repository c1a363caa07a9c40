/// A challenge of the scheme Digest that can be answered (RFC 7616 3.3).
package struct DigestChallenge: Sendable, Hashable {
  /// Whether the response covers the head of the message alone or its content too (`qop`).
  package enum Quality: String, Sendable, Hashable {
    case authentication = "auth"
    case integrity = "auth-int"
  }

  /// The protection space; empty if the challenge names none.
  package let realm: String
  /// The server's nonce: that of the challenge, or the next one that the server named since.
  package var nonce: String
  /// What the server wants back as it is, also if it is empty.
  package let opaque: String?
  /// The algorithm as it was sent, to be sent back so; nil if the challenge names none.
  package let algorithmName: String?
  /// The algorithm.
  package let algorithm: DigestAlgorithm
  /// The known ones that are offered; empty for a server of RFC 2069, which knows none.
  package let qualities: Set<Quality>
  /// Whether the credentials were good and only the nonce too old.
  package let isStale: Bool
  /// Whether the server wants a hash of the user's name.
  package let wantsUserHash: Bool
  /// Whether the server says that it reads UTF-8.
  package let declaresUTF8: Bool
  /// The URI references of the protection space; empty for the whole server.
  package let domain: [String]

  /// Why a challenge cannot be answered.
  package enum Refusal: Error, Sendable, Hashable {
    /// The challenge is of another scheme, or has no parameters.
    case notDigest
    /// There is no nonce.
    case missingNonce
    /// The algorithm is unknown.
    case unknownAlgorithm(String)
    /// No quality of protection that is offered is known.
    case unknownQuality(String)
    /// No quality of protection is offered, which only MD5 without a session allows.
    case missingQuality
    /// Only `auth-int` is offered, and the content of the request cannot be hashed before it is sent.
    case needsContentDigest
  }

  /// Reads a challenge.
  ///
  /// - Parameters:
  ///   - challenge: A challenge of any scheme.
  ///   - allowsMissingQuality: Whether a server may know no quality of protection (RFC 2069), so that its nonce can
  ///     be used for other requests by who reads along.
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

  /// The most references of a domain: each request to the server is compared with all of them.
  private static let maximumDomainCount = 64

  private static func isTrue(_ value: String?) -> Bool { value?.equalsIgnoringASCIICase("true") == true }

  /// How an answer is preferred to that of another challenge of the same response: the first one in the server's
  /// order counts (RFC 7616 3.7), unless it is MD5 and another is not.
  package var strength: Int { algorithm.hash == .md5 ? 0 : 1 }

  /// The quality of protection to answer with: `auth`, unless the content is to be covered, or only that is
  /// offered; nil where the server knows none.
  ///
  /// - Parameters:
  ///   - prefersIntegrity: Whether the content is covered where the server offers it.
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
  /// What is wrong with the challenge, for a person, on one line.
  package var description: String {
    switch self {
    case .notDigest: "it is no Digest challenge"
    case .missingNonce: "it has no nonce"
    case .unknownAlgorithm(let name): "its algorithm \"\(Format.oneLine(name))\" is unknown"
    case .unknownQuality(let text): "its quality of protection \"\(Format.oneLine(text))\" is unknown"
    case .missingQuality: "it offers no quality of protection (qop)"
    case .needsContentDigest: "it wants a hash of a request body that exists once"
    }
  }
}
