package import StagecoachCore

extension Request {
  /// Reads the content of the request into memory.
  ///
  /// - Throws: `ExchangeError` of kind `limit` if it is longer than the limit, which is that of a replay.
  package func content(upTo limit: Int) async throws -> Bytes {
    if let bytes = body.bytes { return bytes }
    let source = try body.makeSource()
    var collected: [UInt8] = []
    while let chunk = try await source.next() {
      guard collected.count + chunk.count <= limit else {
        source.cancel()
        throw ExchangeError.limit(
          .body,
          "the request body is larger than what a replay compares",
          limit: ("requestBodyLimit", "\(limit) bytes")
        )
      }
      chunk.withUnsafeBytes { collected += $0 }
    }
    return Bytes(collected)
  }
}
