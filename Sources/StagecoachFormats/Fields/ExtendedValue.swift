/// The value of an extended parameter (RFC 8187 3.2): a charset, a language and percent-encoded text.
package enum ExtendedValue {
  /// Returns the encoded text, in UTF-8 and without a language.
  package static func encode(_ text: String) -> String { "UTF-8''" + text.percentEncoded(.attribute) }

  /// The text, or nil: two apostrophes are missing, the charset is not known here, a percent sign is not
  /// followed by two digits, or the octets are not text in the charset.
  static func decode(_ value: [UInt8]) -> String? {
    let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let charset = Charset(String(decoding: parts[0], as: UTF8.self)) else {
      return nil
    }
    let (octets, malformed) = parts[2].percentDecoding()
    guard malformed == nil else { return nil }
    return try? charset.decode(octets)
  }
}
