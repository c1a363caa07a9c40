// Not by nil: `isKnown ? value : nil` would silently be a null instead of no value.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// Creates a number with the digits of the literal.
  public init(integerLiteral value: Int) {
    self = .number(JSONNumber(value))
  }

  /// Creates a number with the shortest literal of the double. A source literal must be finite.
  public init(floatLiteral value: Double) {
    self = .number(JSONNumber(floatLiteral: value))
  }

  /// Creates a string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }

  /// Creates an object, in the order of the literal, including duplicates.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(key: $0, value: $1) }))
  }
}
