internal import HTTPTypes
public import StagecoachCore

/// A serializer that sends an element as an XML document, with its charset in Content-Type (RFC 7303 3.2).
///
/// The body is in memory, so it is replayable.
public struct XMLElementRequestSerializer: RequestSerializer {
  /// The media type, to which the charset is added, unless the request declares one.
  public var mediaType: MediaType

  /// The options for writing the element.
  public var options: XML.WritingOptions

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - mediaType: The media type, to which the charset is added: `application/xml`, `text/xml` for SOAP 1.1, or
  ///     another type such as `application/atom+xml`.
  ///   - options: The options for writing; compact, with a declaration, in UTF-8 by default.
  public init(
    as mediaType: MediaType = .xml,
    options: XML.WritingOptions = XML.WritingOptions(hasDeclaration: true)
  ) {
    self.mediaType = mediaType
    self.options = options
  }

  /// Writes the element into the body, and sets Content-Type unless the request has one.
  ///
  /// - Throws: ``XML/ElementError``.
  public func serialize(_ element: XML.Element, into request: inout Request) throws {
    setBody(try element.serialized(options), of: &request)
  }

  func setBody(_ bytes: [UInt8], of request: inout Request) {
    request.body = .bytes(Bytes(bytes))
    guard !request.fields.contains(.contentType) else { return }
    request.fields[.contentType] = mediaType.with(charset: options.charset).description
  }
}

/// A serializer that sends a document, including its DTD and comments.
public struct XMLDocumentRequestSerializer: RequestSerializer {
  private let base: XMLElementRequestSerializer

  /// Creates a serializer with the same parameters as ``XMLElementRequestSerializer``.
  public init(
    as mediaType: MediaType = .xml,
    options: XML.WritingOptions = XML.WritingOptions(hasDeclaration: true)
  ) {
    base = XMLElementRequestSerializer(as: mediaType, options: options)
  }

  /// Writes the document into the body, and sets Content-Type unless the request has one.
  ///
  /// - Throws: `CharsetError` for anything that the charset cannot represent.
  public func serialize(_ document: XML.Document, into request: inout Request) throws {
    base.setBody(try document.serialized(base.options), of: &request)
  }
}

extension RequestContent {
  /// Returns content that sends an element as an XML document.
  ///
  /// ```swift
  /// let order = XML.Element("order") { XML.Element("seats", text: "4") }
  /// let answer = try await client.post("orders", .xml(order), as: .xmlDocument)
  /// ```
  ///
  /// - Parameters:
  ///   - element: The root of the document.
  ///   - mediaType: The media type, to which the charset is added.
  ///   - options: The options for writing; compact, with a declaration, in UTF-8 by default.
  public static func xml(
    _ element: XML.Element,
    as mediaType: MediaType = .xml,
    options: XML.WritingOptions = XML.WritingOptions(hasDeclaration: true)
  ) -> RequestContent {
    RequestContent(element, XMLElementRequestSerializer(as: mediaType, options: options))
  }

  /// Returns content that sends a document, including its DTD and comments.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - mediaType: The media type, to which the charset is added.
  ///   - options: The options for writing; with unchanged layout, with a declaration, in UTF-8 by default.
  public static func xml(
    _ document: XML.Document,
    as mediaType: MediaType = .xml,
    options: XML.WritingOptions = XML.WritingOptions(hasDeclaration: true)
  ) -> RequestContent {
    RequestContent(document, XMLDocumentRequestSerializer(as: mediaType, options: options))
  }
}
