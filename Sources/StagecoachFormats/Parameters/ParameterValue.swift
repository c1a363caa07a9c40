#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The value of a parameter: a single value, or a container of values.
public enum ParameterValue: Sendable, Hashable {
  /// No value, written according to ``QueryEncoder/nullStyle``.
  case null
  /// A boolean, written according to ``QueryEncoder/boolStyle``.
  case bool(Bool)
  /// An integer.
  case int(Int)
  /// A number, written with the fewest digits that represent it exactly, without a fraction if it is integral (`2`,
  /// `0.5`, `1e+20`). A number that is not finite cannot be encoded. Use ``string(_:)`` for numbers that a double
  /// cannot represent.
  case double(Double)
  /// A text.
  case string(String)
  /// A date, written according to ``QueryEncoder/dateStyle``.
  case date(Date)
  // Indirect, since it would make every other value larger.
  /// Bytes, written according to ``QueryEncoder/dataStyle``.
  indirect case data(Bytes)
  /// Values in order.
  case array([ParameterValue])
  /// Values without an order, written in ascending order of their text, under the key of the set itself.
  case set(Set<ParameterValue>)
  /// Values with keys.
  case object(Parameters)
}

// Not by nil: `isKnown ? value : nil` would silently be a null instead of no value.
extension ParameterValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// Creates an integer.
  public init(integerLiteral value: Int) {
    self = .int(value)
  }

  /// Creates a number.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }

  /// Creates a text.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// Creates an array.
  public init(arrayLiteral elements: ParameterValue...) {
    self = .array(elements)
  }

  /// Creates an object, in the order of the literal, including duplicates.
  public init(dictionaryLiteral elements: (String, ParameterValue)...) {
    self = .object(Parameters(elements.map { Parameters.Member(key: $0, value: $1) }))
  }
}
