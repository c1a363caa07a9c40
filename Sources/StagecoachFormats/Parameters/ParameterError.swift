/// An error of parameters: a value that cannot be encoded, or a query or form that cannot be parsed.
@nonexhaustive
public enum ParameterError: Error, Sendable, Hashable {
  /// The value of `key` is a NaN or an infinity.
  case nonFiniteNumber(key: String)
  /// With an array style that joins elements: an element of the array at `key` is itself an array, a set or an object,
  /// which cannot be joined.
  case nestedContainer(key: String)
  /// With ``QueryEncoder/ArrayStyle/pipe`` or ``QueryEncoder/ArrayStyle/space``: an element of the array at `key`
  /// contains the delimiter, so that it would be decoded as two.
  case delimiterInElement(key: String)
  /// The date at `key` cannot be represented in the chosen style: it is not finite, or outside of the years 0 to 9999
  /// of ISO 8601.
  case unwritableDate(key: String)
  /// The key or the value at `key` contains characters that are not in the charset.
  case unencodable(key: String, charset: String)
  /// The charset is not supported by this system, or does not contain ASCII, which URL-encoded forms require.
  case unusableCharset(String)
  /// In a property list: an object has several members with the same key.
  case duplicateKey(String)
  /// In a property list: the value of `key` is null, and ``QueryEncoder/nullStyle`` is not `drop`.
  case nullInPropertyList(key: String)
  /// The value to encode has no keys at the top level.
  case noKeys
  /// The value at `key` is nested deeper than `limit`.
  case tooDeep(key: String, limit: Int)
  /// The input is longer than ``QueryDecoder/sizeLimit``, in bytes.
  case tooLong(limit: Int)
  /// There are more pairs than ``QueryDecoder/pairLimit``.
  case tooManyPairs(limit: Int)
  /// The "%" at this offset in bytes is not followed by two hexadecimal digits.
  case malformedEscape(offset: Int)
  /// The key or value at this offset in bytes is not text in the charset.
  case undecodable(charset: String, offset: Int)
  /// This system has no decoder for the charset.
  case unknownCharset(String)
}

extension ParameterError: CustomStringConvertible {
  /// A description of the error.
  public var description: String {
    switch self {
    case .nonFiniteNumber(let key):
      "The parameter '\(key)' is not a finite number, so it cannot be encoded."
    case .nestedContainer(let key):
      "The parameter '\(key)' contains arrays, sets or objects, which cannot be joined; "
        + "choose another array style."
    case .delimiterInElement(let key):
      "An element of the parameter '\(key)' contains the character that separates elements; choose another array "
        + "style."
    case .unwritableDate(let key):
      "The parameter '\(key)' is a date that cannot be written in the chosen style."
    case .unencodable(let key, let charset):
      "The parameter '\(key)' contains characters that are not in \(charset); use UTF-8."
    case .unusableCharset(let name):
      "A form cannot be encoded in \(name): this system does not support it, or it does not contain ASCII."
    case .duplicateKey(let key):
      "The parameter '\(key)' occurs more than once, which a property list does not allow."
    case .nullInPropertyList(let key):
      "The parameter '\(key)' is null, which a property list does not allow; omit nulls with the null style "
        + "'drop'."
    case .noKeys:
      "Parameters require keys: encode a structure or a dictionary, not an array or a single value."
    case .tooDeep(let key, let limit):
      "The parameter '\(Format.oneLine(String(key.prefix(100))))' is nested deeper than \(limit) levels."
    case .tooLong(let limit): "The input is longer than \(limit) bytes."
    case .tooManyPairs(let limit): "There are more than \(limit) pairs."
    case .malformedEscape(let offset):
      "The % at offset \(offset) is not followed by two hexadecimal digits; decode in lossy mode to keep it."
    case .undecodable(let charset, let offset):
      "The text at offset \(offset) is not valid \(charset); set the charset, or decode in lossy mode."
    case .unknownCharset(let name): "This system has no decoder for the charset \(name)."
    }
  }
}
