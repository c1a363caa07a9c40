public import StagecoachCore

/// Puts an `Encodable` value into the body as an XML document, whose charset the Content-Type names
/// (RFC 7303, 3.2).
///
/// The body is in memory, so it can be sent again.
public struct XMLValueRequestSerializer<Input: Encodable & Sendable>: RequestSerializer {
  /// The name of the root element; that of the type with a lower-case start if it is nil.
  public var root: XML.Name?

  /// Encodes the value.
  public var encoder: XMLEncoder

  private let base: XMLElementRequestSerializer

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to encode.
  ///   - root: The name of the root element; by default that of the type with a lower-case start.
  ///   - encoder: Encodes the value.
  ///   - mediaType: What the body is declared as, with the charset, unless the request declares a type.
  ///   - options: How the document is written; compact, with a declaration, in UTF-8 by default.
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

  /// Encodes the value and declares its type unless the request declares one.
  ///
  /// - Throws: `EncodingError`, or ``XML/ElementError`` for what XML cannot say.
  public func serialize(_ value: Input, into request: inout Request) throws {
    try base.serialize(try encoder.element(for: value, root: root), into: &request)
  }
}

extension RequestContent {
  /// An `Encodable` value for the body, as an XML document.
  ///
  /// ```swift
  /// let answer = try await client.post("orders", .xml(order), as: .xml(Receipt.self))
  /// ```
  ///
  /// - Parameters:
  ///   - value: What to encode.
  ///   - root: The name of the root element; by default that of the type with a lower-case start.
  ///   - encoder: Encodes the value.
  ///   - mediaType: What the body is declared as; the charset is added.
  ///   - options: How the document is written; compact, with a declaration, in UTF-8 by default.
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
