public import StagecoachCore

/// A serializer that decodes a `Decodable` value from XML, which is parsed while the body arrives.
///
/// The encoding is that of a byte order mark, otherwise that of Content-Type, otherwise that of the XML declaration
/// (RFC 7303 3). Nothing is loaded from outside of the body.
///
/// ```swift
/// struct Feed: Decodable, Sendable { var title: String }
/// let feed = try await client.get("feed.xml", as: .xml(Feed.self))
/// ```
public struct XMLValueResponseSerializer<Output: Decodable & Sendable>: ResponseSerializer {
  /// The accepted content: XML under its registered names and with the suffix `+xml` (RFC 7303, RFC 6839).
  public var accepts: Acceptance

  /// The decoder, which has the limits of the document.
  public var decoder: XMLDecoder

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - accepts: The accepted content.
  ///   - decoder: The decoder.
  public init(
    _ type: Output.Type = Output.self,
    accepting accepts: Acceptance = .xml,
    decoder: XMLDecoder = XMLDecoder()
  ) {
    self.accepts = accepts
    self.decoder = decoder
  }

  /// Parses the body, up to the request's body limit and the limits of the decoder, and decodes it.
  ///
  /// - Throws: `ExchangeError` of kind `serialization` with an underlying ``XML/ParseError`` or `DecodingError`, or of
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
        "the body cannot be decoded as \(Output.self): \(error.reason)",
        underlying: error
      )
      failure.bodyPrefix = Bytes(prefix)
      throw failure
    }
  }
}

extension ResponseSerializer {
  /// A serializer for a value decoded from XML.
  public static func xml<Value>(
    _ type: Value.Type = Value.self,
    decoder: XMLDecoder = XMLDecoder()
  ) -> Self where Self == XMLValueResponseSerializer<Value> {
    XMLValueResponseSerializer(type, decoder: decoder)
  }
}
