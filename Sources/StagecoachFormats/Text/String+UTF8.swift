extension String {
  /// Calls a closure with the text as UTF-8. Unlike `withUTF8(_:)` it is not mutating, which avoids a copy of native
  /// strings.
  @inline(__always)
  package func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var text = self
    return text.withUTF8(body)
  }
}
