/// Why parameters cannot be written as a query.
@nonexhaustive
public enum ParameterEncodingError: Error, Sendable, Hashable {
  /// The value of `key` is a NaN or an infinity.
  case nonFiniteNumber(key: String)
  /// With ``QueryEncoder/ArrayStyle/comma`` an element of the array at `key` is itself an array, a set or an
  /// object, which has no form between commas.
  case nestedContainer(key: String)
  /// The containers at `key` are nested deeper than `limit`.
  case tooDeep(key: String, limit: Int)
}

extension ParameterEncodingError: CustomStringConvertible {
  /// What is wrong and where, for a person.
  public var description: String {
    switch self {
    case .nonFiniteNumber(let key):
      "The parameter '\(key)' is not a finite number, a query has no text for it."
    case .nestedContainer(let key):
      "The parameter '\(key)' has arrays, sets or objects as elements, which cannot be joined with commas; "
        + "choose another array style."
    case .tooDeep(let key, let limit):
      "The parameter '\(key)' is nested deeper than \(limit) levels, which is the limit."
    }
  }
}
