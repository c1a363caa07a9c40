public import StagecoachCore

/// Reads the events of a document, as the body arrives.
///
/// The encoding is that of a byte order mark, else the charset of Content-Type, else the XML declaration
/// (RFC 7303 3). Nothing is loaded from outside the body.
public struct XMLEventsResponseSerializer: ResponseSerializer {
  /// What it can read.
  public var accepts: Acceptance

  /// What the document may cost.
  public var limits: XML.Limits

  /// A serializer.
  public init(accepting accepts: Acceptance = .xml, limits: XML.Limits = XML.Limits()) {
    self.accepts = accepts
    self.limits = limits
  }

  /// Returns at once; the sequence reads the body.
  public func serialize(_ response: Response) async throws -> XML.Events {
    XML.Events(
      source: ElementSource(response, stage: name),
      encoding: response.mediaType?.charset?.name,
      limits: limits
    )
  }
}

extension ResponseSerializer where Self == XMLEventsResponseSerializer {
  /// The events of an XML document, as they arrive.
  public static var xmlEvents: XMLEventsResponseSerializer { XMLEventsResponseSerializer() }
}
