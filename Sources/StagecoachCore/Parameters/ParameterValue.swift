#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The value of a parameter: a leaf with a text, or a container of values.
public enum ParameterValue: Sendable, Hashable {
  /// No value; ``QueryEncoder/nullStyle`` says how it is written.
  case null
  /// A boolean; ``QueryEncoder/boolStyle`` says how it is written.
  case bool(Bool)
  /// A whole number.
  case int(Int)
  /// A number, written with the fewest digits that give it back, without a fraction if it is whole (`2`,
  /// `0.5`, `1e+20`). Encoding one that is not finite fails. Numbers that a double cannot hold go in a
  /// ``string(_:)``.
  case double(Double)
  /// A text.
  case string(String)
  /// A point in time; ``QueryEncoder/dateStyle`` says how it is written.
  case date(Date)
  // Indirect, since it would make every other value larger.
  /// Bytes; ``QueryEncoder/dataStyle`` says how they are written.
  indirect case data(Bytes)
  /// Values in order.
  case array([ParameterValue])
  /// Values without an order: they are written in ascending order of their text, under the key of the set
  /// itself.
  case set(Set<ParameterValue>)
  /// Values with keys.
  case object(Parameters)
}

// Not by nil: `isKnown ? value : nil` would silently be a null instead of no value.
extension ParameterValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A boolean.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// A whole number.
  public init(integerLiteral value: Int) {
    self = .int(value)
  }

  /// A number.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }

  /// A text.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// An array.
  public init(arrayLiteral elements: ParameterValue...) {
    self = .array(elements)
  }

  /// An object, in the order of the literal, duplicates included.
  public init(dictionaryLiteral elements: (String, ParameterValue)...) {
    self = .object(Parameters(elements.map { Parameters.Member(key: $0, value: $1) }))
  }
}
