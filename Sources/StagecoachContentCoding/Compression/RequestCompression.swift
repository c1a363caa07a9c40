import HTTPTypes
public import StagecoachCore

/// A stage that compresses request bodies with gzip (RFC 9110 8.4).
///
/// ```swift
/// var pipeline = Pipeline.standard(over: transport)
/// try pipeline.insert(RequestCompression(), before: Redirects.self)
/// ```
///
/// HTTP has no way to find out in advance whether a server supports compressed requests; a server that does not should
/// answer 415. Use the stage only for servers that are known to support them.
///
/// A body is compressed if it has at least `options.compressionThreshold` bytes or an unknown length, and if the
/// request has no Content-Encoding, no Content-Range and no digest of its content. A body in memory is compressed
/// before it is sent, so that its length is known, and sent uncompressed if compression does not make it smaller.
/// Files and streams are compressed while they are sent, 64 KiB at a time, in constant memory and without a
/// Content-Length. Trailers are passed on, and a replayable body stays replayable, with the same bytes.
///
/// Place it above all stages that send a request again or sign its body, next to ``ContentDecoding``.
public struct RequestCompression: Middleware {
  /// The compression level of zlib, from 1 (fast) to 9 (small).
  public let level: Int

  /// Creates a stage.
  ///
  /// - Parameter level: The compression level, from 1 (fast) to 9 (small), 6 by default; other values become the
  ///   nearest of them.
  public init(level: Int = 6) {
    self.level = level
  }

  /// Compresses the body and passes the request on.
  ///
  /// - Throws: `ExchangeError` of kind `contentCoding(.coder)` if zlib runs out of memory.
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

  /// The minimum size of a body that ``RequestCompression`` compresses, in bytes; 1 KiB by default, `nil` to send all
  /// bodies uncompressed.
  public var compressionThreshold: Int64? {
    get { self[Self.compressionThreshold] }
    set { self[Self.compressionThreshold] = newValue }
  }
}
