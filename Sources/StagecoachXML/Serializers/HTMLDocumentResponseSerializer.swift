public import StagecoachCore

/// A serializer that parses a page into a document, while the body arrives; see ``XML/HTMLParser``.
///
/// The charset is that of a byte order mark, otherwise that of Content-Type, otherwise that of `<meta>` or an XML
/// declaration, otherwise the fallback.
///
/// XHTML is parsed as HTML too, whatever its media type, so that the same XPath expression works for both: its
/// elements are in no namespace. To parse it as XML, use ``XMLDocumentResponseSerializer``.
///
/// ```swift
/// let page = try await client.value(for: .get("index.html"), as: .htmlDocument)
/// for link in try page.xpath("//a[@href]").nodes { print(link.attribute("href") ?? "", link.text) }
/// ```
public struct HTMLDocumentResponseSerializer: ResponseSerializer {
  /// The accepted content: HTML and XHTML.
  public var accepts: Acceptance

  /// The limits of the document.
  public var limits: XML.Limits

  /// The charset if none is declared; `nil` for UTF-8 or windows-1252, depending on the content.
  public var fallback: Charset?

  /// Creates a serializer.
  public init(
    accepting accepts: Acceptance = .html,
    limits: XML.Limits = XML.Limits(),
    fallback: Charset? = nil
  ) {
    self.accepts = accepts
    self.limits = limits
    self.fallback = fallback
  }

  /// Parses the body, up to the request's body limit and the limits of the document.
  ///
  /// - Throws: `ExchangeError` of kind `limit`, or of kind `serialization` with an underlying ``XML/ParseError`` if
  ///   there is no content.
  public func serialize(_ response: Response) async throws -> XML.Document {
    let parser = XML.HTMLParser(
      encoding: response.mediaType?[parameter: "charset"],
      fallback: fallback,
      limits: limits
    )
    return try await response.parseBody(as: "HTML") { bytes throws(XML.ParseError) in
      try parser.append(bytes)
    } finish: { () throws(XML.ParseError) in
      try parser.finish()
    }
  }
}

extension Acceptance {
  /// HTML and XHTML. Content without a media type is recognized by a document type or an element `html`.
  public static let html = Acceptance(
    mediaTypes: [.html, MediaRange(.xhtml)],
    signatures: ["<!DOCTYPE html", "<!doctype html", "<!DOCTYPE HTML", "<html", "<HTML"].map {
      ContentSignature(text: $0)
    }
  )
}

extension ResponseSerializer where Self == HTMLDocumentResponseSerializer {
  /// A serializer for a page of HTML or XHTML.
  public static var htmlDocument: HTMLDocumentResponseSerializer { HTMLDocumentResponseSerializer() }
}
