/// A JSON value (RFC 8259).
///
/// Nothing of the text is lost except white space and the spelling of strings: numbers keep their literal, objects
/// their order and duplicates. Parse a text with `init(parsing:limits:)`, write a value with ``serialized(_:)``, or
/// write it as a literal:
///
/// ```swift
/// let value: JSONValue = ["name": "coach", "wheels": 4, "horses": [true, .null]]
/// value["wheels"]?.intValue  // 4
/// ```
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, with its literal.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)
}

extension JSONValue {
  /// Whether this is `null`.
  public var isNull: Bool { self == .null }

  /// The value of a boolean; otherwise `nil`.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The value of a number if it is integral and fits; otherwise `nil`.
  public var intValue: Int? {
    if case .number(let number) = self { number.int64.flatMap { Int(exactly: $0) } } else { nil }
  }

  /// The value of a number as the nearest double; `nil` for other values and outside of the range of a double.
  public var doubleValue: Double? {
    if case .number(let number) = self { number.double } else { nil }
  }

  /// The text of a string; otherwise `nil`.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements of an array; otherwise `nil`.
  public var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The object; otherwise `nil`.
  public var objectValue: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The value for `key` of an object (of duplicates the last one); `nil` if there is no such member or the value is
  /// not an object.
  public subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The element at `index` of an array; `nil` outside of its bounds or if the value is not an array.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
  }

  /// Returns the value without null members and null elements, at any depth. A null at the top level is kept.
  public func removingNulls() -> JSONValue {
    switch self {
    case .null, .bool, .number, .string:
      self
    case .array(let elements):
      .array(elements.compactMap { $0.isNull ? nil : $0.removingNulls() })
    case .object(let object):
      .object(
        JSONObject(
          object.members.compactMap {
            $0.value.isNull ? nil : JSONObject.Member(key: $0.key, value: $0.value.removingNulls())
          }
        )
      )
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The compact JSON text.
  public var description: String { String(decoding: serialized(), as: UTF8.self) }
}
