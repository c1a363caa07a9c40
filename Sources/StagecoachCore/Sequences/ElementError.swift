/// Why one element of a body that is read element by element could not be given, and where it stands.
///
/// It is the ``ExchangeError/underlying`` error of what such a sequence throws.
public struct ElementError: Error, CustomStringConvertible {
  /// What is wrong with an element.
  @nonexhaustive
  public enum Reason: Sendable {
    /// It has more bytes than ``RequestOptions/elementLimit`` allows.
    case tooLarge(limit: Int)
    /// It is not text in the charset of the body.
    case notText(CharsetError)
    /// It is not JSON.
    case notJSON(JSONSyntaxError)
    /// It is JSON, and does not decode as the type that was asked for.
    case notDecodable(any Error, type: String)
    /// It is a number, `true`, `false` or `null` that no white space ends, so more may have followed
    /// (RFC 7464 2.4).
    case truncated
    /// It stands where the record separator of a JSON text sequence is missing (RFC 7464 2.1).
    case notSeparated
  }

  /// What is wrong.
  public let reason: Reason
  /// How many elements came before it.
  public let index: Int
  /// Where it starts: how many bytes of the body came before it.
  public let offset: Int64
  /// How it starts, 256 bytes at most.
  public let start: Bytes

  init(_ reason: Reason, index: Int, offset: Int64, bytes: UnsafeRawBufferPointer) {
    self.reason = reason
    self.index = index
    self.offset = offset
    start = Bytes(Array(bytes.prefix(256)))
  }

  /// Which element it is, what is wrong with it, and how it starts.
  public var description: String {
    let text = "element \(index), from byte \(offset) of the body, \(reasonText)"
    return start.isEmpty ? text : "\(text): \(Format.excerpt(start, limit: 80))"
  }

  private var reasonText: String {
    switch reason {
    case .tooLarge(let limit): "has more than \(limit) bytes"
    case .notText(let error): "is not text (\(error))"
    case .notJSON(let error): "is not JSON (\(error))"
    case .notDecodable(let error as DecodingError, let type): error.refusal(of: type)
    case .notDecodable(let error, let type): "does not decode as \(type) (\(Format.describe(error)))"
    case .truncated: "may have been cut off: no white space ends it"
    case .notSeparated: "has no record separator in front of it"
    }
  }

  /// The error that the sequence throws.
  var asExchangeError: ExchangeError {
    guard case .tooLarge(let limit) = reason else {
      return ExchangeError(.serialization, description, underlying: self)
    }
    return ExchangeError(
      .limit(.structure),
      description,
      advice: "raise options.elementLimit, or read the body as a stream",
      limit: ExchangeError.Limit(option: RequestOptions.elementLimit.name, value: "\(limit) bytes"),
      underlying: self
    )
  }
}
