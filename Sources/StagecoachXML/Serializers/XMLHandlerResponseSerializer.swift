public import StagecoachCore

/// A serializer that passes the events of a document to a handler while the body arrives, and returns the handler.
///
/// ```swift
/// struct Counter: XML.EventHandler, Sendable {
///   var elements = 0
///   mutating func startElement(_ tag: borrowing XML.RawStartTag) { elements += 1 }
/// }
/// let count = try await client.get("feed.xml", as: .xml(handledBy: Counter())).elements
/// ```
///
/// The handler runs on the task of the reader; the body is read at its pace.
public struct XMLHandlerResponseSerializer<Handler: XML.EventHandler & Sendable>: ResponseSerializer {
  /// The accepted content.
  public var accepts: Acceptance

  /// The limits of the document.
  public var limits: XML.Limits

  private let handler: Handler

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - handler: The handler, whose state is copied for each response.
  ///   - accepts: The accepted content.
  ///   - limits: The limits of the document.
  public init(
    _ handler: Handler,
    accepting accepts: Acceptance = .xml,
    limits: XML.Limits = XML.Limits()
  ) {
    self.handler = handler
    self.accepts = accepts
    self.limits = limits
  }

  /// Parses the body, which may be of any size.
  ///
  /// - Throws: `ExchangeError` of kind `serialization` with an underlying ``XML/ParseError``, which has line and
  ///   column, or of kind `limit`; any error of the handler.
  public func serialize(_ response: Response) async throws -> Handler {
    let parser = XML.EventParser(handler, encoding: response.mediaType?.charset?.name, limits: limits)
    do {
      for try await chunk in response.body { try chunk.withUnsafeBytes { try parser.append($0) } }
      return try parser.finish()
    } catch {
      response.body.cancel()
      throw (error as? XML.ParseError).map { ExchangeError($0) } ?? error
    }
  }
}

extension ResponseSerializer {
  /// A serializer that returns the handler after all events of an XML document.
  public static func xml<Handler: XML.EventHandler & Sendable>(
    handledBy handler: Handler
  ) -> Self where Self == XMLHandlerResponseSerializer<Handler> {
    XMLHandlerResponseSerializer(handler)
  }
}
