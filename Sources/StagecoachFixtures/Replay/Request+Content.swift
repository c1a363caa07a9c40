package import StagecoachCore

extension Request {
  /// Reads the content of the request, to compare it.
  ///
  /// - Throws: `ExchangeError` of kind `limit` if there is more than a replay compares.
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
