public import StagecoachCore

/// Parses a response into a document, chunk by chunk as the body arrives.
///
/// The encoding is that of a byte order mark, else the charset of Content-Type, else the XML declaration
/// (RFC 7303 3). Nothing is loaded from outside the body.
///
/// ```swift
/// let document = try await client.value(for: .get("feed.xml"), as: .xmlDocument)
/// for title in try document.xpath("//a:title", namespaces: ["a": "http://www.w3.org/2005/Atom"]).nodes {
///   print(title.text)
/// }
/// ```
public struct XMLDocumentResponseSerializer: ResponseSerializer {
  /// What it can read: `application/xml`, `text/xml` and all types with the suffix `+xml` (RFC 7303, RFC 6839).
  public var accepts: Acceptance

  /// The limits of the document.
  public var limits: XML.Limits

  /// A serializer.
  public init(accepting accepts: Acceptance = .xml, limits: XML.Limits = XML.Limits()) {
    self.accepts = accepts
    self.limits = limits
  }

  /// Parses the body within the request's body limit and the limits of the document.
  ///
  /// - Throws: `ExchangeError` of kind `serialization` over an ``XML/ParseError`` with line
  ///   and column, or of kind `limit`.
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
  /// `image/svg+xml`. It asks for the registered names alone.
  public static let xml = Acceptance(
    mediaTypes: [.xml, .textXML, .anyXMLSuffix],
    signatures: [.markup]
  )
}

extension ResponseSerializer where Self == XMLDocumentResponseSerializer {
  /// An XML document.
  public static var xmlDocument: XMLDocumentResponseSerializer { XMLDocumentResponseSerializer() }
}
