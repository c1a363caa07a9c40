internal import HTTPTypes
public import StagecoachCore
internal import Synchronization

/// The stage that refuses an XML response which breaks its schema.
///
/// The body is collected within the request's body limit, parsed, and validated; what follows gets the same
/// bytes and trailers. Responses of other statuses and media types pass as they are, and so do parts (206)
/// and responses without content: whether those are acceptable is for `Validation` to say. Put it
/// above content decoding.
///
/// ```swift
/// var pipeline = Pipeline.standard(over: transport)
/// try pipeline.insert(SchemaValidation(schema), after: Validation.self)
/// ```
public struct SchemaValidation: Middleware {
  /// The schema.
  public let schema: XML.Schema

  /// The statuses and media types to check; by default XML with a status from 200 up to 299.
  public let accepts: Acceptance

  /// The limits of the documents.
  public let limits: XML.Limits

  /// A stage that validates responses.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - accepts: The statuses and media types to check.
  ///   - limits: The limits of the documents.
  public init(_ schema: XML.Schema, accepting accepts: Acceptance = .xml, limits: XML.Limits = XML.Limits()) {
    self.schema = schema
    self.accepts = accepts
    self.limits = limits
  }

  /// Validates the response of the stages below.
  ///
  /// - Throws: `ExchangeError` of kind `validation` over an ``XML/ValidationReport`` that holds the
  ///   violations, or over the ``XML/ParseError`` of a body that is no XML; of kind `limit`.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    var response = try await next(request)
    guard accepts.accepts(status: response.status.code), accepts.accepts(response.mediaType),
      response.status != .partialContent, !response.hasNoContent, response.body.length != 0
    else { return response }
    let content = try await response.collectBody()
    if !content.isEmpty { try judge(content, of: response, to: request) }
    response.body = Response.Body(
      transforming: CollectedContent(content, trailers: response.body.trailers)
    )
    return response
  }

  // Errors are large, and every request in flight holds a frame of `handle`: they stay out of it.
  @inline(never)
  private func judge(_ content: Bytes, of response: Response, to request: Request) throws {
    guard var refusal = refusal(of: content, charset: response.mediaType?.charset?.name) else {
      request.emit(.validationPassed)
      return
    }
    refusal.response = response.head
    refusal.bodyPrefix = content.prefix(request.options.errorBodyLimit)
    request.emit(.validationFailed(refusal.kind))
    throw refusal
  }

  private func refusal(of content: Bytes, charset: String?) -> ExchangeError? {
    let report: XML.ValidationReport
    do {
      let parser = XML.DocumentParser(encoding: charset, limits: limits)
      try content.withUnsafeBytes { bytes throws(XML.ParseError) in try parser.append(bytes) }
      report = schema.validate(try parser.finish())
    } catch {
      return Self.unreadable(error)
    }
    guard !report.isValid else { return nil }
    return ExchangeError(
      .validation,
      report.count == 1
        ? "the body breaks its schema" : "the body breaks its schema in \(report.count) places",
      underlying: report
    )
  }

  private static func unreadable(_ error: XML.ParseError) -> ExchangeError {
    guard case .limit(let name, let value) = error.reason else {
      return ExchangeError(.validation, "the body is not XML: \(error)", underlying: error)
    }
    return ExchangeError(
      .limit(.structure),
      "\(error)",
      limit: ExchangeError.Limit(option: "XML.Limits.\(name)", value: "\(value)"),
      underlying: error
    )
  }
}

/// Content that was collected on its way, with the trailers that followed it.
private final class CollectedContent: BodySource {
  private let content: Mutex<Bytes?>
  let trailers: HTTPFields?

  init(_ content: Bytes, trailers: HTTPFields?) {
    self.content = Mutex(content.isEmpty ? nil : content)
    self.trailers = trailers
  }

  func next() async throws -> Bytes? {
    content.withLock { content in
      defer { content = nil }
      return content
    }
  }

  func cancel() { content.withLock { $0 = nil } }
}
