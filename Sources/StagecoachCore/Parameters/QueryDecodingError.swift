/// Why a query or a form cannot be read, before any value is decoded from it.
@nonexhaustive
public enum QueryDecodingError: Error, Sendable, Hashable {
  /// There are more bytes than ``QueryDecoder/sizeLimit``.
  case tooLong(limit: Int)
  /// There are more pairs than ``QueryDecoder/pairLimit``.
  case tooManyPairs(limit: Int)
  /// The key is nested deeper than ``QueryDecoder/depthLimit``.
  case tooDeep(key: String, limit: Int)
  /// The "%" at this offset, in bytes, is not followed by two hexadecimal digits.
  case malformedEscape(offset: Int)
  /// The key or value that starts at this offset, in bytes, is not text in the charset.
  case undecodable(charset: String, offset: Int)
  /// This system has no decoder for the charset.
  case unknownCharset(String)
}

extension QueryDecodingError: CustomStringConvertible {
  /// What is wrong and where, for a person.
  public var description: String {
    switch self {
    case .tooLong(let limit): "There are more than \(limit) bytes, which is the limit."
    case .tooManyPairs(let limit): "There are more than \(limit) pairs, which is the limit."
    case .tooDeep(let key, let limit):
      "The key '\(Format.oneLine(String(key.prefix(100))))' is nested deeper than \(limit) levels, "
        + "which is the limit."
    case .malformedEscape(let offset):
      "The % at offset \(offset) is not followed by two hexadecimal digits; decode in lossy mode to keep it."
    case .undecodable(let charset, let offset):
      "The text at offset \(offset) is not \(charset); set the charset, or decode in lossy mode."
    case .unknownCharset(let name): "This system has no decoder for the charset \(name)."
    }
  }
}
