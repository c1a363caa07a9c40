import HTTPTypes
package import StagecoachCore

/// The bytes whole, one by one, and cut in two at every place.
package func chunkings(of bytes: [UInt8]) -> [[Bytes]] {
  guard !bytes.isEmpty else { return [[]] }
  return [[Bytes(bytes)], bytes.map { Bytes([$0]) }]
    + (1..<max(1, bytes.count)).map { [Bytes(bytes[..<$0]), Bytes(bytes[$0...])] }
}

/// What a sequence gives, to its end.
package func all<Elements: AsyncSequence>(_ elements: Elements) async throws -> [Elements.Element] {
  var list: [Elements.Element] = []
  for try await element in elements { list.append(element) }
  return list
}

extension Response {
  /// A streamed response of chunks.
  package static func streamed(_ chunks: [Bytes], type: String? = nil) -> Response {
    Response(
      .ok,
      fields: type.map { [.contentType: $0] } ?? [:],
      body: Response.Body(source: ScriptedSource(chunks: chunks))
    )
  }
}

/// A body that never ends.
package func endless(_ chunk: Bytes, pulls: Counter = Counter()) -> Response.Body {
  Response.Body(
    AsyncStream<Bytes>(unfolding: {
      pulls.add()
      return chunk
    })
  )
}
