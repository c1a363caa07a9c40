import HTTPTypes
public import StagecoachCore

/// The stage that asks for coded content and decodes it (RFC 9110 8.4 and 12.5.3).
///
/// ```swift
/// let pipeline = Pipeline(over: transport) {
///   Validation()
///   ContentDecoding()
/// }
/// ```
///
/// It stands above redirects, retry and a cache, which then deal with the bytes that ETag, ranges and digests
/// are defined on, and nothing is decoded that is thrown away.
///
/// Accept-Encoding is set unless the request has it: who sets it gets the body as it comes. A request with
/// Range asks for no coding, since a range would be one of coded bytes.
///
/// The codings of a body are undone from the last one back to the first that is unknown; that one stays in
/// Content-Encoding, or is an error by choice (`options.refusesUnknownCodings`). The fields that describe the coded
/// body are removed: Content-Length, Accept-Ranges and digests; ETag and Vary stay. Trailers pass. What has
/// no content (HEAD, 1xx, 204, 205, 304) and a range of coded bytes (206) is left alone.
///
/// Reading the body decodes it, a chunk of at most 64 KiB at a time and in constant memory, and throws
/// `ExchangeError` of kind `contentCoding` where the coding is broken, after the bytes before it, and of kind
/// `limit(.decodedBody)` where `options.decodedBodyLimit` or `options.decodingRatioLimit` is exceeded.
public struct ContentDecoding: Middleware {
  /// The codings that are asked for, in order, and decoded.
  public let codings: [any ContentCoding]

  /// The codings of this library: gzip and deflate, with the trait `Brotli` br, with the trait `Zstandard`
  /// zstd, in this order.
  public static var builtInCodings: [any ContentCoding] {
    var codings: [any ContentCoding] = [GzipCoding(), DeflateCoding()]
    #if Brotli
      codings.append(BrotliCoding())
    #endif
    #if Zstandard
      codings.append(ZstandardCoding())
    #endif
    return codings
  }

  /// A stage for codings; ``builtInCodings`` by default.
  public init(_ codings: [any ContentCoding] = builtInCodings) {
    self.codings = codings
  }

  /// Passes the request on and decodes the response.
  ///
  /// - Throws: `ExchangeError` of kind `limit(.structure)` for more codings than `options.contentCodingLimit`, of
  ///   kind `contentCoding(.unknown)` for an unknown one if `options.refusesUnknownCodings` is set.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    guard !request.fields.contains(.acceptEncoding) else { return try await next(request) }
    var asking = request
    if !request.fields.contains(.range), !codings.isEmpty {
      asking.fields[.acceptEncoding] = codings.map(\.name).joined(separator: ", ")
    }
    var response = try await next(asking)
    do {
      try decode(&response, to: request)
    } catch var error as ExchangeError {
      response.body.cancel()
      error.response = response.head
      throw error
    }
    return response
  }

  private func decode(_ response: inout Response, to request: Request) throws {
    guard request.method != .head, !response.hasNoContent, response.status != .partialContent else { return }
    var listed = response.fields.contentCodings
    guard !listed.isEmpty else { return }
    let limit = request.options.contentCodingLimit
    guard listed.count <= limit else {
      throw ExchangeError(
        .limit(.structure),
        "the content is in \(listed.count) codings: \(listed.joined(separator: ", "))",
        advice: "raise options.\(RequestOptions.contentCodingLimit.name) if that is expected",
        limit: ExchangeError.Limit(option: RequestOptions.contentCodingLimit.name, value: "\(limit) codings")
      )
    }
    var known: [any ContentCoding] = []
    while let name = listed.last, let coding = codings.first(where: { $0.isCalled(name) }) {
      known.append(coding)
      listed.removeLast()
    }
    if let unknown = listed.last {
      guard !request.options.refusesUnknownCodings else { throw Self.refusal(of: unknown, knowing: codings) }
      request.emit(.custom(ContentDecodingEvent.passedThrough(unknown)))
    }
    guard !known.isEmpty else { return }
    if response.body.length != 0 {
      response.body = Response.Body(
        transforming: try DecodedBody(response.body, undoing: known, options: request.options)
      )
    }
    let removed = response.fields.removeDescriptionOfCodedContent(leaving: listed)
    request.emit(.custom(ContentDecodingEvent.started(known.map(\.name), removed: removed)))
  }

  private static func refusal(of unknown: String, knowing codings: [any ContentCoding]) -> ExchangeError {
    let known = codings.map(\.name).joined(separator: ", ")
    return ExchangeError(
      .contentCoding(.unknown),
      "the content is in the coding \(unknown), known is \(known.isEmpty ? "none" : known)",
      advice: "add the coding to the stage, or unset options.\(RequestOptions.refusesUnknownCodings.name)"
    )
  }
}
