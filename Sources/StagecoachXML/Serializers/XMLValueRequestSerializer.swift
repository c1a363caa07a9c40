public import StagecoachCore

/// A serializer that sends an `Encodable` value as an XML document, with its charset in Content-Type (RFC 7303 3.2).
///
/// The body is in memory, so it is replayable.
public struct XMLValueRequestSerializer<Input: Encodable & Sendable>: RequestSerializer {
  /// The name of the root element; `nil` for the name of the type with a lower-case start.
  public var root: XML.Name?

  /// The encoder.
  public var encoder: XMLEncoder

  private let base: XMLElementRequestSerializer

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - root: The name of the root element; by default the name of the type with a lower-case start.
  ///   - encoder: The encoder.
  ///   - mediaType: The media type, to which the charset is added, unless the request declares one.
  ///   - options: The options for writing; compact, with a declaration, in UTF-8 by default.
  public init(
    _ type: Input.Type = Input.self,
    root: XML.Name? = nil,
    encoder: XMLEncoder = XMLEncoder(),
    as mediaType: MediaType = .xml,
    options: XML.WritingOptions = XML.WritingOptions(hasDeclaration: true)
  ) {
    self.root = root
    self.encoder = encoder
    base = XMLElementRequestSerializer(as: mediaType, options: options)
  }

  /// Encodes the value and sets Content-Type unless the request has one.
  ///
  /// - Throws: `EncodingError`, or ``XML/ElementError`` for anything that XML cannot represent.
  public func serialize(_ value: Input, into request: inout Request) throws {
    try base.serialize(try encoder.element(for: value, root: root), into: &request)
  }
}

extension RequestContent {
  /// Returns content that sends an `Encodable` value as an XML document.
  ///
  /// ```swift
  /// struct Order: Encodable, Sendable { var seats: Int }
  /// struct Receipt: Decodable, Sendable { var number: String }
  /// let receipt = try await client.post("orders", .xml(Order(seats: 4)), as: .xml(Receipt.self))
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - root: The name of the root element; by default the name of the type with a lower-case start.
  ///   - encoder: The encoder.
  ///   - mediaType: The media type, to which the charset is added.
  ///   - options: The options for writing; compact, with a declaration, in UTF-8 by default.
  public static func xml(
    _ value: some Encodable & Sendable,
    root: XML.Name? = nil,
    encoder: XMLEncoder = XMLEncoder(),
    as mediaType: MediaType = .xml,
    options: XML.WritingOptions = XML.WritingOptions(hasDeclaration: true)
  ) -> RequestContent {
    RequestContent(
      value,
      XMLValueRequestSerializer(root: root, encoder: encoder, as: mediaType, options: options)
    )
  }
}
