public import StagecoachCore

/// An error of encoded content; the `underlying` error of an `ExchangeError` of kind `contentCoding`.
public struct ContentCodingError: Error, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public var reason: ExchangeError.CodingFailure

  /// A description from the decoder.
  public var detail: String

  /// Creates an error.
  public init(_ reason: ExchangeError.CodingFailure, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }

  /// A description of the error.
  public var description: String { detail }
}

extension ContentCodingError {
  static let truncated = ContentCodingError(.truncated, "the body ended before the end of the encoded data")
}
