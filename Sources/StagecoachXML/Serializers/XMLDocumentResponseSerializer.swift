public import Stagecoach

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
  /// What it can read: XML under its registered names and with the suffix `+xml` (RFC 7303, RFC 6839).
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
    let limit = response.request?.options.bodyLimit ?? BodyLimit.defaultValue
    var prefix: [UInt8] = []
    var count = 0
    do {
      for try await chunk in response.body {
        count += chunk.count
        guard count <= limit else { throw Self.bodyLimit(limit) }
        chunk.prefix(max(0, Self.prefixLength - prefix.count)).withUnsafeBytes {
          prefix.append(contentsOf: $0)
        }
        try chunk.withUnsafeBytes { bytes throws(XML.ParseError) in try parser.append(bytes) }
      }
      return try parser.finish()
    } catch var error as ExchangeError {
      response.body.cancel()
      if error.bodyPrefix.isEmpty { error.bodyPrefix = Bytes(prefix) }
      throw error
    } catch let error as XML.ParseError {
      response.body.cancel()
      throw Self.failure(error, prefix: Bytes(prefix))
    }
  }

  private static let prefixLength = 4096

  private static func bodyLimit(_ limit: Int) -> ExchangeError {
    ExchangeError(
      .limit(.body),
      "the document is larger than \(limit) bytes",
      advice: "raise options.bodyLimit",
      limit: ExchangeError.Limit(option: BodyLimit.name, value: "\(limit) bytes")
    )
  }

  private static func failure(_ error: XML.ParseError, prefix: Bytes) -> ExchangeError {
    var failure = ExchangeError(.serialization, "the body is not XML: \(error)", underlying: error)
    if case .limit(let name, let value) = error.reason {
      failure.kind = .limit(.structure)
      failure.message = "\(error)"
      failure.limit = ExchangeError.Limit(option: "XML.Limits.\(name)", value: "\(value)")
    }
    failure.bodyPrefix = prefix
    return failure
  }
}

extension Acceptance {
  /// XML under its registered names, and any type with the suffix `+xml`.
  public static let xml = Acceptance(
    mediaTypes: [.xml, .textXML, .anyXMLSuffix],
    signatures: [.markup]
  )
}

extension ResponseSerializer where Self == XMLDocumentResponseSerializer {
  /// An XML document.
  public static var xmlDocument: XMLDocumentResponseSerializer { XMLDocumentResponseSerializer() }
}
