public import StagecoachCore

/// A serializer that parses the response into a document, while the body arrives.
///
/// The encoding is that of a byte order mark, otherwise that of Content-Type, otherwise that of the XML declaration
/// (RFC 7303 3). Nothing is loaded from outside of the body.
///
/// ```swift
/// let document = try await client.value(for: .get("feed.xml"), as: .xmlDocument)
/// for title in try document.xpath("//a:title", namespaces: ["a": "http://www.w3.org/2005/Atom"]).nodes {
///   print(title.text)
/// }
/// ```
public struct XMLDocumentResponseSerializer: ResponseSerializer {
  /// The accepted content: `application/xml`, `text/xml` and all types with the suffix `+xml` (RFC 7303, RFC 6839).
  public var accepts: Acceptance

  /// The limits of the document.
  public var limits: XML.Limits

  /// Creates a serializer.
  public init(accepting accepts: Acceptance = .xml, limits: XML.Limits = XML.Limits()) {
    self.accepts = accepts
    self.limits = limits
  }

  /// Parses the body, up to the request's body limit and the limits of the document.
  ///
  /// - Throws: `ExchangeError` of kind `serialization` with an underlying ``XML/ParseError``, which has line and
  ///   column, or of kind `limit`.
  public func serialize(_ response: Response) async throws -> XML.Document {
    let parser = XML.DocumentParser(encoding: response.mediaType?.charset?.name, limits: limits)
    return try await response.parseBody { bytes throws(XML.ParseError) in
      try parser.append(bytes)
    } finish: { () throws(XML.ParseError) in
      try parser.finish()
    }
  }
}

extension Acceptance {
  /// XML under its registered names, and every type with the suffix `+xml`, such as `application/atom+xml` and
  /// `image/svg+xml`. Accept contains only the registered names.
  public static let xml = Acceptance(
    mediaTypes: [.xml, .textXML, .anyXMLSuffix],
    signatures: [.markup]
  )
}

extension ResponseSerializer where Self == XMLDocumentResponseSerializer {
  /// A serializer for an XML document.
  public static var xmlDocument: XMLDocumentResponseSerializer { XMLDocumentResponseSerializer() }
}
