// An element that is empty is nil in a list, as it is for a key.
extension ElementList {
  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try optional() }
  mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try optional() }
  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try optional() }
  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try optional() }
  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try optional() }
  mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try optional() }
  mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try optional() }
  mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try optional() }
  mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try optional() }
  mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try optional() }
  mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try optional() }
  mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try optional() }
  mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try optional() }
  mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try optional() }
  mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try optional() }
  mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try optional() }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? { try optional() }

  private mutating func optional<Value: Decodable>() throws -> Value? {
    isAtEnd ? nil : try decode(Value?.self)
  }
}
