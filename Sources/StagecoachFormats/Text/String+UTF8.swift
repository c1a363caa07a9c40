extension String {
  /// Calls a closure with the text as UTF-8. Unlike `withUTF8(_:)` it is not mutating, which avoids a copy of native
  /// strings.
  @inline(__always)
  package func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var text = self
    return text.withUTF8(body)
  }

  /// Creates a text from the octets of a field value: UTF-8, or else ISO-8859-1 (RFC 9110 5.5).
  @inlinable
  package init(utf8OrLatin1 octets: some Collection<UInt8>) {
    self =
      String(validating: octets, as: UTF8.self)
      ?? String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
  }
}
