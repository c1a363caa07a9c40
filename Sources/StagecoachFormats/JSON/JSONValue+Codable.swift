extension JSONValue: Codable {
  /// The maximum depth for decoders and encoders, which are recursive.
  private static let greatestCodingDepth = 512

  /// Decodes any JSON value.
  ///
  /// Information that a decoder does not provide is lost: most decoders return keys in no particular order and without
  /// duplicates, and numbers become the shortest literal of an `Int64`, a `UInt64` or else a `Double`. Use
  /// `init(parsing:limits:)` to keep everything. Throws `DecodingError.dataCorrupted` beyond 512 levels and for
  /// anything that is not a JSON value.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.greatestCodingDepth else {
      throw Self.decodingFailure("more than \(Self.greatestCodingDepth) levels", decoder)
    }
    // A container of another kind is refused before anything is read from it; errors within one are passed on.
    if let container = try? decoder.container(keyedBy: MemberKey.self) {
      self = .object(try Self.object(from: container))
    } else if let container = try? decoder.unkeyedContainer() {
      self = .array(try Self.elements(from: container))
    } else if let value = try Self.leaf(from: decoder.singleValueContainer()) {
      self = value
    } else {
      throw Self.decodingFailure("neither null, boolean, number, string, array nor object", decoder)
    }
  }

  private static func object(from container: KeyedDecodingContainer<MemberKey>) throws -> JSONObject {
    JSONObject(
      try container.allKeys.map { key in
        let isNull = try container.decodeNil(forKey: key)
        let value = isNull ? .null : try container.decode(JSONValue.self, forKey: key)
        return JSONObject.Member(key: key.stringValue, value: value)
      }
    )
  }

  private static func elements(from container: any UnkeyedDecodingContainer) throws -> [JSONValue] {
    var container = container
    var elements: [JSONValue] = []
    while !container.isAtEnd {
      elements.append(try container.decodeNil() ? .null : try container.decode(JSONValue.self))
    }
    return elements
  }

  private static func leaf(from container: any SingleValueDecodingContainer) -> JSONValue? {
    if container.decodeNil() { return .null }
    if let value = try? container.decode(String.self) { return .string(value) }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int64.self) { return .number(JSONNumber(value)) }
    if let value = try? container.decode(UInt64.self) { return .number(JSONNumber(value)) }
    if let value = try? container.decode(Double.self) { return JSONNumber(value).map(JSONValue.number) }
    return nil
  }

  private static func decodingFailure(_ text: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "JSON: \(text)"))
  }

  /// Encodes the value.
  ///
  /// A number is encoded as `Int64` or `UInt64` if its literal is an integer that fits, otherwise as the nearest
  /// `Double`. Of duplicate keys an encoder usually keeps the last. Throws `EncodingError.invalidValue` beyond 512
  /// levels and for a number outside of the range of a double.
  public func encode(to encoder: any Encoder) throws {
    guard encoder.codingPath.count <= Self.greatestCodingDepth else {
      throw encodingFailure("JSON: more than \(Self.greatestCodingDepth) levels", encoder)
    }
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .number(let number): try encode(number, to: encoder)
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let object):
      var container = encoder.container(keyedBy: MemberKey.self)
      for member in object.members {
        try container.encode(member.value, forKey: MemberKey(stringValue: member.key))
      }
    }
  }

  private func encode(_ number: JSONNumber, to encoder: any Encoder) throws {
    if number.isIntegerLiteral, let value = number.int64 {
      try value.encode(to: encoder)
    } else if number.isIntegerLiteral, let value = number.uint64 {
      try value.encode(to: encoder)
    } else if let value = number.double {
      try value.encode(to: encoder)
    } else {
      throw encodingFailure("JSON: the number \(number) is outside of the range of a double", encoder)
    }
  }

  private func encodingFailure(_ text: String, _ encoder: any Encoder) -> EncodingError {
    .invalidValue(self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: text))
  }
}
