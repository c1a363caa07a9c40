public import StagecoachCore

/// Hands the events of a document to a handler while the body arrives, and returns the handler.
///
/// ```swift
/// let titles = try await client.get("feed.xml", as: .xml(handledBy: Titles())).titles
/// ```
///
/// The handler runs on the reader's task; the body is read as fast as it works.
public struct XMLHandlerResponseSerializer<Handler: XML.EventHandler & Sendable>: ResponseSerializer {
  /// What it can read.
  public var accepts: Acceptance

  /// What the document may cost.
  public var limits: XML.Limits

  private let handler: Handler

  /// A serializer.
  ///
  /// - Parameters:
  ///   - handler: What each response is handed to, in the state it has here.
  ///   - accepts: What it can read.
  ///   - limits: What the document may cost.
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
  /// - Throws: `ExchangeError` of kind `serialization` over an ``XML/ParseError`` with line and column, or of kind
  ///   `limit`; what the handler threw.
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
  /// The handler, after it has heard of all events of an XML document.
  public static func xml<Handler: XML.EventHandler & Sendable>(
    handledBy handler: Handler
  ) -> Self where Self == XMLHandlerResponseSerializer<Handler> {
    XMLHandlerResponseSerializer(handler)
  }
}
