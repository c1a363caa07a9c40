import HTTPTypes
public import StagecoachCore

/// A stage that requests encoded content and decodes it (RFC 9110 8.4 and 12.5.3).
///
/// ```swift
/// let pipeline = Pipeline(over: transport) {
///   Validation()
///   ContentDecoding()
/// }
/// ```
///
/// Place it above redirects, retry and a cache: ETag, ranges and digests refer to the encoded bytes that those stages
/// handle, and content that they discard is not decoded.
///
/// Accept-Encoding is set unless the request has it: a request with an explicit field gets the body undecoded, except
/// with `identity`: whoever asks for no coding gets none, even from a server that ignores the field. A request with
/// Range asks for no coding, because it would be a range of encoded bytes. The body of a download is not decoded: the
/// file is what the server published.
///
/// The codings of a body are decoded from the last one back to the first unknown one, which stays in Content-Encoding,
/// or is an error if `options.refusesUnknownCodings` is set. Fields that describe the encoded body are removed:
/// Content-Length, Accept-Ranges and digests; ETag and Vary are kept. Trailers are passed on. Responses without
/// content (HEAD, 1xx, 204, 205, 304) and ranges of encoded bytes (206) are not changed.
///
/// The body is decoded while it is read, in chunks of at most 64 KiB and in constant memory. Reading throws
/// `ExchangeError` of kind `contentCoding` for malformed data, after the bytes before it, and of kind
/// `limit(.decodedBody)` if `options.decodedBodyLimit` or `options.decodingRatioLimit` is exceeded. Bytes after the end
/// of the encoded data are ignored, with an event; more than a MiB of them exceeds the latter too.
public struct ContentDecoding: Middleware {
  /// The supported codings, in order of preference.
  public let codings: [any ContentCoding]

  /// The codings of this library, in this order: gzip and deflate, br with the trait `Brotli`, zstd with the trait
  /// `Zstandard`.
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

  /// Creates a stage with codings; ``builtInCodings`` by default.
  public init(_ codings: [any ContentCoding] = builtInCodings) {
    self.codings = codings
  }

  /// Passes the request on and decodes the response.
  ///
  /// - Throws: `ExchangeError` of kind `limit(.structure)` if there are more codings than
  ///   `options.contentCodingLimit`, of kind `contentCoding(.unknown)` for an unknown one if
  ///   `options.refusesUnknownCodings` is set.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    if request.options.keepsContentCoding { return try await next(request) }
    let asked = request.fields.first(of: .acceptEncoding)
    // Who asks for no coding wants the content itself, also from a server that ignores that.
    guard asked == nil || asked == "identity" else { return try await next(request) }
    var asking = request
    if asked == nil, !request.fields.contains(.range), !codings.isEmpty {
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
      throw ExchangeError.limit(
        .structure,
        "the content has \(listed.count) codings: \(listed.joined(separator: ", "))",
        advice: "raise options.\(RequestOptions.contentCodingLimit.name) if that is expected",
        limit: (RequestOptions.contentCodingLimit.name, "\(limit) codings")
      )
    }
    var known: [any ContentCoding] = []
    while let name = listed.last, let coding = codings.first(where: { $0.isCalled(name) }) {
      known.append(coding)
      listed.removeLast()
    }
    if let unknown = listed.last {
      guard !request.options.refusesUnknownCodings else { throw Self.refusal(of: unknown, knowing: codings) }
      request.emit(ContentDecodingEvent.passedThrough(unknown))
    }
    guard !known.isEmpty else { return }
    if response.body.length != 0 {
      response.body = Response.Body(
        transforming: try DecodedBody(response.body, undoing: known, for: request)
      )
    }
    response.isDecoded = true
    let removed = response.fields.removeDescriptionOfCodedContent(leaving: listed)
    request.emit(ContentDecodingEvent.started(known.map(\.name), removed: removed))
  }

  private static func refusal(of unknown: String, knowing codings: [any ContentCoding]) -> ExchangeError {
    let known = codings.map(\.name).joined(separator: ", ")
    return ExchangeError(
      .contentCoding(.unknown),
      "unknown content coding \(unknown) (known: \(known.isEmpty ? "none" : known))",
      advice: "add the coding to the stage, or unset options.\(RequestOptions.refusesUnknownCodings.name)"
    )
  }
}
