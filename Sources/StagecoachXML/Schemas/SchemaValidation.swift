internal import HTTPTypes
public import StagecoachCore
internal import Synchronization

/// A stage that refuses XML responses that do not match a schema.
///
/// The body is collected, up to the request's body limit, parsed and validated; the stages above get the same bytes
/// and trailers. Responses with other statuses and media types are passed on unchanged, and so are partial responses
/// (206) and responses without content: accepting or refusing those is up to `Validation`. Place it above content
/// decoding.
///
/// ```swift
/// let schema = try XML.Schema(bytes)
/// var pipeline = Pipeline.standard(over: transport)
/// try pipeline.insert(SchemaValidation(schema), after: Validation.self)
/// ```
public struct SchemaValidation: Middleware {
  /// The schema.
  public let schema: XML.Schema

  /// The statuses and media types to validate; by default XML with a status from 200 to 299.
  public let accepts: Acceptance

  /// The limits of the documents.
  public let limits: XML.Limits

  /// Creates a stage that validates responses.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - accepts: The statuses and media types to validate.
  ///   - limits: The limits of the documents.
  public init(_ schema: XML.Schema, accepting accepts: Acceptance = .xml, limits: XML.Limits = XML.Limits()) {
    self.schema = schema
    self.accepts = accepts
    self.limits = limits
  }

  /// Validates the response of the stages below.
  ///
  /// - Throws: `ExchangeError` of kind `validation` with an underlying ``XML/ValidationReport`` that contains the
  ///   violations, or ``XML/ParseError`` for a body that is not XML; of kind `limit`.
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
        ? "the body does not match its schema"
        : "the body does not match its schema in \(report.count) places",
      underlying: report
    )
  }

  private static func unreadable(_ error: XML.ParseError) -> ExchangeError {
    if case .limit = error.reason { return ExchangeError(error) }
    return ExchangeError(.validation, "the body is not valid XML: \(error)", underlying: error)
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
