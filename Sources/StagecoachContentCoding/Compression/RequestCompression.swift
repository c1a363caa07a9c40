import HTTPTypes
public import StagecoachCore

/// The stage that compresses request bodies with gzip (RFC 9110 8.4).
///
/// ```swift
/// var pipeline = Pipeline.standard(over: transport)
/// try pipeline.insert(RequestCompression(), before: Redirects.self)
/// ```
///
/// HTTP has no way to ask beforehand whether a server takes compressed requests: one that does not should
/// answer 415. So the stage is for servers that are known to.
///
/// A body is compressed if it has at least `options.compressionThreshold` bytes or an unknown length, and if the
/// request has no Content-Encoding, no Content-Range and no digest of its content. A body in memory is
/// compressed before it is sent, so that its length is known, and sent plain if it would not get smaller.
/// Files and streams are compressed while they are sent, 64 KiB at a time, in constant memory and without a
/// Content-Length. Trailers pass, and what could be sent again still can, with the same bytes.
///
/// It belongs above all stages that send a request again or sign its body, at the height of
/// ``ContentDecoding``.
public struct RequestCompression: Middleware {
  /// How hard zlib tries, from 1 (fast) to 9 (small).
  public let level: Int

  /// A stage.
  ///
  /// - Parameter level: From 1 (fast) to 9 (small), 6 by default; what is beyond counts as the nearest.
  public init(level: Int = 6) {
    self.level = level
  }

  /// Compresses the body and passes the request on.
  ///
  /// - Throws: `ExchangeError` of kind `contentCoding(.coder)` if zlib has no memory.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    guard isEligible(request) else { return try await next(request) }
    var request = request
    let body = request.body
    if let bytes = body.bytes {
      guard let compressed = try bytes.compressed(level: level) else { return try await next(request) }
      request.body = .bytes(compressed)
    } else {
      let level = level
      request.body = .source(length: nil, isReplayable: body.isReplayable, hasTrailers: body.hasTrailers) {
        try CompressedSource(try body.makeSource(), level: level)
      }
    }
    request.fields[.contentEncoding] = "gzip"
    request.fields[.contentLength] = nil
    return try await next(request)
  }

  private func isEligible(_ request: Request) -> Bool {
    guard !request.body.isEmpty, let threshold = request.options.compressionThreshold,
      request.body.length ?? .max >= threshold
    else { return false }
    let fields = request.fields
    return !fields.contains(.contentEncoding) && !fields.contains(.contentRange) && !fields.hasDigest
  }
}

extension RequestOptions {
  static let compressionThreshold = RequestOption<Int64?>("compressionThreshold", default: 1024)

  /// From how many bytes on ``RequestCompression`` compresses a body; 1 KiB by default, nil to send all bodies
  /// plain.
  public var compressionThreshold: Int64? {
    get { self[Self.compressionThreshold] }
    set { self[Self.compressionThreshold] = newValue }
  }
}
