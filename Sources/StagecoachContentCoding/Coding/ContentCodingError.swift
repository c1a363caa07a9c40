public import StagecoachCore

/// Why coded content cannot be decoded; the `underlying` error of an `ExchangeError` of kind
/// `contentCoding`.
public struct ContentCodingError: Error, Hashable, CustomStringConvertible {
  /// What kind of failure it is.
  public var reason: ExchangeError.CodingFailure

  /// What is wrong, in the words of the decoder.
  public var detail: String

  /// A failure.
  public init(_ reason: ExchangeError.CodingFailure, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }

  /// What is wrong.
  public var description: String { detail }
}

extension ContentCodingError {
  static let trailingData = ContentCodingError(
    .trailingData,
    "something else follows the end of the coded data"
  )
  static let truncated = ContentCodingError(.truncated, "the body ended before the coded data did")
}
