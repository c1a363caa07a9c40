internal import HTTPTypes
public import StagecoachCore

/// Puts an element into the body as an XML document, whose charset the Content-Type names (RFC 7303, 3.2).
///
/// The body is in memory, so it can be sent again.
public struct XMLElementRequestSerializer: RequestSerializer {
  /// What the body is declared as, with the charset, unless the request declares a type.
  public var mediaType: MediaType

  /// How the element is written.
  public var options: XML.WritingOptions

  /// A serializer.
  ///
  /// - Parameters:
  ///   - mediaType: What the body is declared as: `application/xml`, `text/xml` as SOAP 1.1 wants it, or a
  ///     type of one's own such as `application/atom+xml`; the charset is added.
  ///   - options: How the element is written; compact, with a declaration, in UTF-8 by default.
  public init(
    as mediaType: MediaType = .xml,
    options: XML.WritingOptions = XML.WritingOptions(hasDeclaration: true)
  ) {
    self.mediaType = mediaType
    self.options = options
  }

  /// Writes the element into the body, and declares its type unless the request declares one.
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

/// Puts a document into the body, with its DTD, comments and all.
public struct XMLDocumentRequestSerializer: RequestSerializer {
  private let base: XMLElementRequestSerializer

  /// A serializer; the parameters are those of ``XMLElementRequestSerializer``.
  public init(
    as mediaType: MediaType = .xml,
    options: XML.WritingOptions = XML.WritingOptions(hasDeclaration: true)
  ) {
    base = XMLElementRequestSerializer(as: mediaType, options: options)
  }

  /// Writes the document into the body, and declares its type unless the request declares one.
  ///
  /// - Throws: `CharsetError` for what the charset cannot say.
  public func serialize(_ document: XML.Document, into request: inout Request) throws {
    base.setBody(try document.serialized(base.options), of: &request)
  }
}

extension RequestContent {
  /// An element for the body, as an XML document.
  ///
  /// ```swift
  /// let order = XML.Element("order") { XML.Element("seats", text: "4") }
  /// let answer = try await client.post("orders", .xml(order), as: .xmlDocument)
  /// ```
  ///
  /// - Parameters:
  ///   - element: The root of the document.
  ///   - mediaType: What the body is declared as; the charset is added.
  ///   - options: How the element is written; compact, with a declaration, in UTF-8 by default.
  public static func xml(
    _ element: XML.Element,
    as mediaType: MediaType = .xml,
    options: XML.WritingOptions = XML.WritingOptions(hasDeclaration: true)
  ) -> RequestContent {
    RequestContent(element, XMLElementRequestSerializer(as: mediaType, options: options))
  }

  /// A document for the body, with its DTD, comments and all.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - mediaType: What the body is declared as; the charset is added.
  ///   - options: How the document is written; as it is, with a declaration, in UTF-8 by default.
  public static func xml(
    _ document: XML.Document,
    as mediaType: MediaType = .xml,
    options: XML.WritingOptions = XML.WritingOptions(hasDeclaration: true)
  ) -> RequestContent {
    RequestContent(document, XMLDocumentRequestSerializer(as: mediaType, options: options))
  }
}
