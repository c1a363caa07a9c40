public import StagecoachCore

/// An error of one element of a body that is read element by element, with its position.
///
/// It is the ``ExchangeError/underlying`` error of the error that such a sequence throws.
public struct ElementError: Error, CustomStringConvertible {
  /// The reason of the error.
  @nonexhaustive
  public enum Reason: Sendable {
    /// The element is larger than ``RequestOptions/elementLimit``.
    case tooLarge(limit: Int)
    /// The element is not text in the charset of the body.
    case notText(CharsetError)
    /// The element is not JSON.
    case notJSON(JSONSyntaxError)
    /// The element is JSON, but cannot be decoded as the requested type.
    case notDecodable(any Error, type: String)
    /// The element is a number, `true`, `false` or `null` without trailing white space, so it may be truncated (RFC
    /// 7464 2.4).
    case truncated
    /// The element is not preceded by the record separator of a JSON text sequence (RFC 7464 2.1).
    case notSeparated
  }

  /// The reason of the error.
  public let reason: Reason
  /// The number of elements before it.
  public let index: Int
  /// The number of bytes of the body before it.
  public let offset: Int64
  /// The first bytes of the element, at most 256.
  public let start: Bytes

  init(_ reason: Reason, index: Int, offset: Int64, bytes: UnsafeRawBufferPointer) {
    self.reason = reason
    self.index = index
    self.offset = offset
    start = Bytes(Array(bytes.prefix(256)))
  }

  /// A description with the position, the reason and the first bytes.
  public var description: String {
    let text = "element \(index), at byte \(offset) of the body, \(reasonText)"
    return start.isEmpty ? text : "\(text): \(Format.excerpt(start, limit: 80))"
  }

  private var reasonText: String {
    switch reason {
    case .tooLarge(let limit): "is larger than \(limit) bytes"
    case .notText(let error): "is not text (\(error))"
    case .notJSON(let error): "is not JSON (\(error))"
    case .notDecodable(let error as DecodingError, let type): error.refusal(of: type)
    case .notDecodable(let error, let type): "cannot be decoded as \(type) (\(Format.describe(error)))"
    case .truncated: "may be truncated: it has no trailing white space"
    case .notSeparated: "is not preceded by a record separator"
    }
  }

  /// The error that the sequence throws.
  var asExchangeError: ExchangeError {
    guard case .tooLarge(let limit) = reason else {
      return ExchangeError(.serialization, description, underlying: self)
    }
    return .limit(
      .structure,
      description,
      advice: "raise options.elementLimit, or read the body as a stream",
      limit: (RequestOptions.elementLimit.name, "\(limit) bytes"),
      underlying: self
    )
  }
}
