/// Why parameters cannot be written.
@nonexhaustive
public enum ParameterEncodingError: Error, Sendable, Hashable {
  /// The value of `key` is a NaN or an infinity.
  case nonFiniteNumber(key: String)
  /// With an array style that joins elements, an element of the array at `key` is itself an array, a set or
  /// an object, which has no form between delimiters.
  case nestedContainer(key: String)
  /// With ``QueryEncoder/ArrayStyle/pipe`` or ``QueryEncoder/ArrayStyle/space`` an element of the array at
  /// `key` contains the delimiter, so that it would be read back as two.
  case delimiterInElement(key: String)
  /// The date at `key` has no text in the chosen style: it is not finite, or not in the years 0 to 9999 of
  /// ISO 8601.
  case unwritableDate(key: String)
  /// The key or the value at `key` has characters that the charset does not have.
  case unencodable(key: String, charset: String)
  /// The charset does not exist on this system, or does not contain ASCII, as the syntax of URL-encoded forms
  /// needs.
  case unusableCharset(String)
  /// With a property list, more than one member of an object has the key at this place.
  case duplicateKey(String)
  /// With a property list, the value of `key` is a null, and ``QueryEncoder/nullStyle`` is not `drop`.
  case nullInPropertyList(key: String)
  /// The value to encode has no keys at its top level.
  case noKeys
  /// The containers at `key` are nested deeper than `limit`.
  case tooDeep(key: String, limit: Int)
}

extension ParameterEncodingError: CustomStringConvertible {
  /// What is wrong and where, for a person.
  public var description: String {
    switch self {
    case .nonFiniteNumber(let key):
      "The parameter '\(key)' is not a finite number, for which there is no text."
    case .nestedContainer(let key):
      "The parameter '\(key)' has arrays, sets or objects as elements, which cannot be joined; "
        + "choose another array style."
    case .delimiterInElement(let key):
      "An element of the parameter '\(key)' contains the character that separates elements; choose another array "
        + "style."
    case .unwritableDate(let key):
      "The parameter '\(key)' is a date that cannot be written in the chosen style."
    case .unencodable(let key, let charset):
      "The parameter '\(key)' has characters that \(charset) does not have; choose UTF-8."
    case .unusableCharset(let name):
      "A form cannot be written in \(name): this system does not know it or it does not contain ASCII."
    case .duplicateKey(let key):
      "The parameter '\(key)' is there more than once, which a property list cannot hold."
    case .nullInPropertyList(let key):
      "The parameter '\(key)' is null, for which a property list has nothing; leave nulls out with the null style "
        + "'drop'."
    case .noKeys:
      "Parameters need keys: encode a structure or a dictionary, not an array or a single value."
    case .tooDeep(let key, let limit):
      "The parameter '\(key)' is nested deeper than \(limit) levels, which is the limit."
    }
  }
}
