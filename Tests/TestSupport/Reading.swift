package import StagecoachCore

/// Reads a request body as a transport does.
package func read(_ body: Request.Body) async throws -> Bytes {
  try await read(body.makeSource())
}

package func read(_ source: any BodySource) async throws -> Bytes {
  var all: [UInt8] = []
  while let chunk = try await source.next() { all += chunk.array }
  return Bytes(all)
}

/// Chunks as an asynchronous sequence, each taken from an array.
package func chunks(_ list: [Bytes]) -> AsyncStream<Bytes> {
  AsyncStream { continuation in
    for chunk in list { continuation.yield(chunk) }
    continuation.finish()
  }
}

/// The chunks of a response body.
package func read(_ body: Response.Body) async throws -> [Bytes] {
  var chunks: [Bytes] = []
  for try await chunk in body { chunks.append(chunk) }
  return chunks
}
