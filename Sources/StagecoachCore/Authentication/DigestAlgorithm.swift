/// An algorithm of the scheme Digest: a hash, and whether a session has a key of its own (RFC 7616 3.3).
package struct DigestAlgorithm: Sendable, Hashable {
  /// The hashes, the weaker ones first.
  package enum Hash: Sendable, Hashable, CaseIterable {
    case md5, sha256, sha512T256
  }

  /// The hash.
  package let hash: Hash
  /// Whether the key is made of the nonces of the first request too (`-sess`).
  package let isSession: Bool

  /// What a challenge that names none means.
  package static let md5 = DigestAlgorithm(hash: .md5, isSession: false)

  private init(hash: Hash, isSession: Bool) {
    self.hash = hash
    self.isSession = isSession
  }

  /// The algorithm of a name, in any case; nil if it is unknown.
  package init?(_ name: String) {
    let name = name.lowercased()
    let suffix = "-sess"
    isSession = name.hasSuffix(suffix)
    switch isSession ? String(name.dropLast(suffix.count)) : name {
    case "md5": hash = .md5
    case "sha-256": hash = .sha256
    case "sha-512-256": hash = .sha512T256
    default: return nil
    }
  }

  /// The digest of octets, in lower-case hexadecimal digits.
  func digest(_ octets: some Collection<UInt8>) -> String {
    switch hash {
    case .md5: MD5.hash(octets).hexadecimal
    case .sha256: SHA256.hash(octets).hexadecimal
    case .sha512T256: SHA512_256.hash(octets).hexadecimal
    }
  }

  /// The digest of texts with colons between them.
  func digest(_ texts: String...) -> String { digest(texts.joined(separator: ":").utf8) }

  /// A hash that takes its input piece by piece, such as the chunks of a response body.
  package func makeHash() -> any HashFunction {
    switch hash {
    case .md5: MD5()
    case .sha256: SHA256()
    case .sha512T256: SHA512_256()
    }
  }

  /// The digest of the content of a request, which is read from its first byte to its last.
  ///
  /// - Throws: ``ExchangeError`` of kind `bodyNotReplayable` if it could not be sent afterwards; what its source
  ///   throws; `CancellationError`.
  package func digest(of body: Request.Body) async throws -> String {
    if let bytes = body.bytes { return bytes.withUnsafeBytes { digest($0) } }
    guard body.isReplayable else {
      throw ExchangeError(
        .bodyNotReplayable,
        "the request body exists once, so that Digest authentication cannot hash it before it is sent",
        advice: "make the body with .bytes, .file or .stream, which can be read again"
      )
    }
    var hash = makeHash()
    let source = try body.makeSource()
    defer { source.cancel() }
    while let chunk = try await source.next() {
      try Task.checkCancellation()
      hash.update(chunk)
    }
    return hash.digest().hexadecimal
  }
}
