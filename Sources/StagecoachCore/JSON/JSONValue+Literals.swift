// Not by nil: `isKnown ? value : nil` would silently be a null instead of no value.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A boolean.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// A number with the digits of the literal.
  public init(integerLiteral value: Int) {
    self = .number(JSONNumber(value))
  }

  /// A number with the shortest literal of the double. A source literal must be finite.
  public init(floatLiteral value: Double) {
    self = .number(JSONNumber(floatLiteral: value))
  }

  /// A string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// An array.
  public init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }

  /// An object, in the order of the literal, duplicates included.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(key: $0, value: $1) }))
  }
}
