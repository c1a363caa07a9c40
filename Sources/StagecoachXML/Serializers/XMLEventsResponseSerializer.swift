public import StagecoachCore
import StagecoachSerializers

/// A serializer that reads the events of a document, while the body arrives.
///
/// The encoding is that of a byte order mark, otherwise that of Content-Type, otherwise that of the XML declaration
/// (RFC 7303 3). Nothing is loaded from outside of the body.
public struct XMLEventsResponseSerializer: ResponseSerializer {
  /// The accepted content.
  public var accepts: Acceptance

  /// The limits of the document.
  public var limits: XML.Limits

  /// Creates a serializer.
  public init(accepting accepts: Acceptance = .xml, limits: XML.Limits = XML.Limits()) {
    self.accepts = accepts
    self.limits = limits
  }

  /// Returns immediately; the sequence reads the body.
  public func serialize(_ response: Response) async throws -> XML.Events {
    XML.Events(
      source: ElementSource(response, stage: name),
      encoding: response.mediaType?.charset?.name,
      limits: limits
    )
  }
}

extension ResponseSerializer where Self == XMLEventsResponseSerializer {
  /// A serializer for the events of an XML document, as they arrive.
  public static var xmlEvents: XMLEventsResponseSerializer { XMLEventsResponseSerializer() }
}
