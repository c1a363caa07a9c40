public import StagecoachCore

/// Decodes a `Decodable` value from XML, which is parsed as the body arrives.
///
/// The encoding is that of a byte order mark, else the charset of Content-Type, else the XML declaration
/// (RFC 7303 3). Nothing is loaded from outside the body.
///
/// ```swift
/// let feed = try await client.get("feed.xml", as: .xml(Feed.self))
/// ```
public struct XMLValueResponseSerializer<Output: Decodable & Sendable>: ResponseSerializer {
  /// What it can read: XML under its registered names and with the suffix `+xml` (RFC 7303, RFC 6839).
  public var accepts: Acceptance

  /// Decodes the value; it has the limits of the document.
  public var decoder: XMLDecoder

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - accepts: What it can read.
  ///   - decoder: Decodes the value.
  public init(
    _ type: Output.Type = Output.self,
    accepting accepts: Acceptance = .xml,
    decoder: XMLDecoder = XMLDecoder()
  ) {
    self.accepts = accepts
    self.decoder = decoder
  }

  /// Parses the body within the request's body limit and the limits of the decoder, and decodes it.
  ///
  /// - Throws: `ExchangeError` of kind `serialization` over an ``XML/ParseError`` or a `DecodingError`, or of
  ///   kind `limit`.
  public func serialize(_ response: Response) async throws -> Output {
    let reader = EventReader(encoding: response.mediaType?.charset?.name, limits: decoder.limits)
    var prefix: [UInt8] = []
    let batch = try await response.parseBody { bytes throws(XML.ParseError) in
      if prefix.count < 4096 { prefix.append(contentsOf: bytes.prefix(4096 - prefix.count)) }
      try reader.append(bytes)
    } finish: { () throws(XML.ParseError) in
      try reader.finish()
      return reader.takeBatch(isLast: true)
    }
    do {
      return try decoder.decode(Output.self, from: batch)
    } catch let error as DecodingError {
      var failure = ExchangeError(
        .serialization,
        "the body does not decode as \(Output.self): \(error.reason)",
        underlying: error
      )
      failure.bodyPrefix = Bytes(prefix)
      throw failure
    }
  }
}

extension ResponseSerializer {
  /// A value decoded from XML.
  public static func xml<Value>(
    _ type: Value.Type = Value.self,
    decoder: XMLDecoder = XMLDecoder()
  ) -> Self where Self == XMLValueResponseSerializer<Value> {
    XMLValueResponseSerializer(type, decoder: decoder)
  }
}
