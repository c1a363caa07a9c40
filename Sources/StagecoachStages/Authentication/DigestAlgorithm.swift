package import StagecoachCore

/// An algorithm of the Digest scheme: a hash, and whether each session has its own key (RFC 7616 3.3).
package struct DigestAlgorithm: Sendable, Hashable {
  /// The hash functions, weaker ones first.
  package enum Hash: Sendable, Hashable, CaseIterable {
    case md5, sha256, sha512T256
  }

  /// The hash function.
  package let hash: Hash
  /// Whether the key includes the nonces of the first request (`-sess`).
  package let isSession: Bool

  /// The default algorithm of a challenge.
  package static let md5 = DigestAlgorithm(hash: .md5, isSession: false)

  private init(hash: Hash, isSession: Bool) {
    self.hash = hash
    self.isSession = isSession
  }

  /// Returns the algorithm with a name, ignoring case; `nil` if it is unknown.
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

  /// Returns the digest of octets, in lower-case hexadecimal digits.
  func digest(_ octets: some Collection<UInt8>) -> String {
    switch hash {
    case .md5: MD5.hash(octets).hexadecimal
    case .sha256: SHA256.hash(octets).hexadecimal
    case .sha512T256: SHA512_256.hash(octets).hexadecimal
    }
  }

  /// Returns the digest of texts joined by colons.
  func digest(_ texts: String...) -> String { digest(texts.joined(separator: ":").utf8) }

  /// Returns a hash function that takes its input in pieces, such as the chunks of a response body.
  package func makeHash() -> any HashFunction {
    switch hash {
    case .md5: MD5()
    case .sha256: SHA256()
    case .sha512T256: SHA512_256()
    }
  }

  /// Returns the digest of the content of a request, which is read completely.
  ///
  /// - Throws: ``ExchangeError`` of kind `bodyNotReplayable` if the content could not be sent afterwards; any error of
  ///   its source; `CancellationError`.
  package func digest(of body: Request.Body) async throws -> String {
    if let bytes = body.bytes { return bytes.withUnsafeBytes { digest($0) } }
    guard body.isReplayable else {
      throw ExchangeError(
        .bodyNotReplayable,
        "Digest authentication cannot hash the request body before sending it: it can be read only once",
        advice: "create the body with .bytes, .file or .stream, which can be read again"
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
