/// The limits for the parts of a response outside its body, so that a peer cannot exhaust memory with them.
///
/// ```swift
/// request.options.responseHeadLimits.fields = 1_000
/// ```
///
/// A response beyond a limit fails with ``ExchangeError`` of kind `limit(.responseHead)`. Engines have further limits,
/// which a larger value here does not raise: see the documentation of each transport.
public struct ResponseHeadLimits: Sendable, Hashable {
  /// The maximum size of all header fields together, in bytes; 64 KiB by default.
  public var bytes = 64 * 1024
  /// The maximum number of header fields; 256 by default.
  public var fields = 256
  /// The maximum size of one header or trailer field with its name, and of the status line, in bytes; 16 KiB by
  /// default.
  public var fieldBytes = 16 * 1024
  /// The maximum size of all trailer fields together, in bytes; 16 KiB by default.
  public var trailerBytes = 16 * 1024
  /// The maximum number of informational responses (RFC 9110 15.2) before the final one; 8 by default.
  public var informationalResponses = 8

  /// Creates the default limits.
  public init() {}
}

extension RequestOptions {
  static let responseHeadLimits = RequestOption<ResponseHeadLimits>(
    "responseHeadLimits",
    default: ResponseHeadLimits()
  )

  /// The limits for the parts of a response outside its body; see ``ResponseHeadLimits`` for the defaults.
  public var responseHeadLimits: ResponseHeadLimits {
    get { self[Self.responseHeadLimits] }
    set { self[Self.responseHeadLimits] = newValue }
  }
}
