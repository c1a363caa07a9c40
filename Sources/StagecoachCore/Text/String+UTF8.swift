extension String {
  /// Calls a closure with the text as UTF-8; not mutating as `withUTF8(_:)` is, which spares native strings a copy.
  @inline(__always)
  func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var text = self
    return text.withUTF8(body)
  }
}
