/// The place of a value in its element, or its absence, as a type declares it.
protocol XMLFieldMark {
  static var field: XMLField { get }
}

enum XMLField {
  case attribute
  case text
  case optional
}

/// Makes a property an attribute of its element in XML. Other formats encode only the value.
///
/// ```swift
/// struct Link: Codable {
///   @XMLAttribute var href: String
///   @XMLAttribute var rel: String?
/// }
/// ```
///
/// A coding key `case href = "@href"` does the same without changing the property.
@propertyWrapper
public struct XMLAttribute<Value> {
  /// The value.
  public var wrappedValue: Value

  /// Creates an attribute.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// Makes a property the text of its element in XML. Other formats encode only the value.
///
/// ```swift
/// import Foundation
///
/// struct Price: Codable {
///   @XMLAttribute var currency: String
///   @XMLText var amount: Decimal
/// }
/// ```
///
/// A coding key `case amount = "text()"` does the same without changing the property.
@propertyWrapper
public struct XMLText<Value> {
  /// The value.
  public var wrappedValue: Value

  /// Creates the text of an element.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension XMLAttribute: XMLFieldMark {
  static var field: XMLField { .attribute }
}

extension XMLText: XMLFieldMark {
  static var field: XMLField { .text }
}

extension Optional: XMLFieldMark {
  static var field: XMLField { .optional }
}

extension XMLAttribute: Sendable where Value: Sendable {}
extension XMLAttribute: Equatable where Value: Equatable {}
extension XMLAttribute: Hashable where Value: Hashable {}
extension XMLText: Sendable where Value: Sendable {}
extension XMLText: Equatable where Value: Equatable {}
extension XMLText: Hashable where Value: Hashable {}

extension XMLAttribute: Decodable where Value: Decodable {
  /// Decodes the value.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension XMLAttribute: Encodable where Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension XMLText: Decodable where Value: Decodable {
  /// Decodes the value.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension XMLText: Encodable where Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

// A missing value is `nil`, as for properties without wrapper: synthesized code selects these functions.
extension KeyedDecodingContainer {
  /// Decodes an attribute that may be missing.
  public func decode<Value: Decodable>(
    _ type: XMLAttribute<Value?>.Type,
    forKey key: Key
  ) throws -> XMLAttribute<Value?> {
    XMLAttribute(wrappedValue: try decodeIfPresent(XMLAttribute<Value>.self, forKey: key)?.wrappedValue)
  }

  /// Decodes text that may be missing.
  public func decode<Value: Decodable>(
    _ type: XMLText<Value?>.Type,
    forKey key: Key
  ) throws -> XMLText<Value?> {
    XMLText(wrappedValue: try decodeIfPresent(XMLText<Value>.self, forKey: key)?.wrappedValue)
  }
}

extension KeyedEncodingContainer {
  /// Encodes an attribute that may be missing.
  public mutating func encode<Value: Encodable>(_ value: XMLAttribute<Value?>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue.map { XMLAttribute(wrappedValue: $0) }, forKey: key)
  }

  /// Encodes text that may be missing.
  public mutating func encode<Value: Encodable>(_ value: XMLText<Value?>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue.map { XMLText(wrappedValue: $0) }, forKey: key)
  }
}
