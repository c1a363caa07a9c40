import StagecoachCore

/// Compares the bytes of a reply with its Content-Digest (RFC 9530 2).
struct DigestCheck {
  private let expected: Checksum
  private var hash: any HashFunction

  /// Creates a check; `nil` if the field has no hash that is known.
  init?(_ field: String?) {
    guard let field, let expected = Checksum(digestField: field) else { return nil }
    self.init(expected)
  }

  init(_ expected: Checksum) {
    self.expected = expected
    hash = expected.algorithm.makeHash()
  }

  mutating func update(_ bytes: Bytes) { hash.update(bytes) }

  /// The mismatch of what was taken in so far, if there is one.
  var failure: ChecksumFailure? {
    guard let actual = Checksum(expected.algorithm, hash.digest()), actual != expected else { return nil }
    return ChecksumFailure(expected: expected, actual: actual)
  }
}
