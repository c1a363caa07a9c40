public import StagecoachCore

/// Parses a page into a document, chunk by chunk as the body arrives; see ``XML/HTMLParser``.
///
/// The charset is that of a byte order mark, else the one Content-Type declares, else that of `<meta>` or an XML
/// declaration, else the fallback.
///
/// XHTML is read as HTML too, whatever its media type, so that one XPath expression finds the same in both:
/// its elements are in no namespace. To have it read as XML, ask for ``XMLDocumentResponseSerializer``.
///
/// ```swift
/// let page = try await client.value(for: .get("index.html"), as: .htmlDocument)
/// for link in try page.xpath("//a[@href]").nodes { print(link.attribute("href") ?? "", link.text) }
/// ```
public struct HTMLDocumentResponseSerializer: ResponseSerializer {
  /// What it can read: HTML and XHTML.
  public var accepts: Acceptance

  /// The limits of the document.
  public var limits: XML.Limits

  /// The charset where nobody names one; nil for UTF-8 or else windows-1252, as the content suggests.
  public var fallback: Charset?

  /// A serializer.
  public init(
    accepting accepts: Acceptance = .html,
    limits: XML.Limits = XML.Limits(),
    fallback: Charset? = nil
  ) {
    self.accepts = accepts
    self.limits = limits
    self.fallback = fallback
  }

  /// Parses the body within the request's body limit and the limits of the document.
  ///
  /// - Throws: `ExchangeError` of kind `limit`, or of kind `serialization` over an ``XML/ParseError`` if there
  ///   is no content.
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
  /// HTML and XHTML. Content without a media type is recognised by a document type or an element `html`.
  public static let html = Acceptance(
    mediaTypes: [.html, MediaRange(.xhtml)],
    signatures: ["<!DOCTYPE html", "<!doctype html", "<!DOCTYPE HTML", "<html", "<HTML"].map {
      ContentSignature(text: $0)
    }
  )
}

extension ResponseSerializer where Self == HTMLDocumentResponseSerializer {
  /// A page of HTML or XHTML.
  public static var htmlDocument: HTMLDocumentResponseSerializer { HTMLDocumentResponseSerializer() }
}
