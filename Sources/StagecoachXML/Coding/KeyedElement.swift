/// The children of an element, by key.
struct KeyedElement<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let here: KeyedPlace

  init(_ here: KeyedPlace) { self.here = here }

  var codingPath: [any CodingKey] { here.codingPath }

  var allKeys: [Key] { here.entries.compactMap { Key(stringValue: here.plan.pointee.keys[$0]) } }

  func contains(_ key: Key) -> Bool {
    switch here.field(key.stringValue).place.kind {
    case .missing, .emptyList: false
    case .content: !here.session.isNothing(here.field(key.stringValue).place)
    default: true
    }
  }

  func decodeNil(forKey key: Key) -> Bool { here.session.isNothing(here.field(key.stringValue).place) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try here.required(key.stringValue) { here.session.bool(at: $0) }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try here.required(key.stringValue) { here.session.string(at: $0) }
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try here.required(key.stringValue) { here.session.double(at: $0) }
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try here.required(key.stringValue) { here.session.float(at: $0) }
  }

  @inline(__always)
  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
    try here.required(key.stringValue) { here.session.integer(at: $0) }
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try here.required(key.stringValue) { here.session.integer(at: $0) }
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try here.required(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try here.optional(key.stringValue) { here.session.bool(at: $0) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try here.optional(key.stringValue) { here.session.string(at: $0) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try here.optional(key.stringValue) { here.session.double(at: $0) }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try here.optional(key.stringValue) { here.session.float(at: $0) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try here.optional(key.stringValue) { here.session.integer(at: $0) }
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try here.value(type, key.stringValue)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try here.optionalValue(type, key.stringValue)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let place = try here.enter(here.caseField(key.stringValue))
    return KeyedDecodingContainer(
      KeyedElement<NestedKey>(
        try KeyedPlace(here.session, place, depth: here.depth + 1, keyedBy: type)
      )
    )
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    let place = try here.enter(here.field(key.stringValue))
    return try ElementList(here.session, place, depth: here.depth + 1)
  }

  // What a superclass has stands beside what its subclass adds.
  func superDecoder() throws -> any Decoder {
    PlaceDecoder(here.session, here.place, depth: here.depth)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    let place = try here.enter(here.field(key.stringValue))
    return PlaceDecoder(here.session, place, depth: here.depth + 1)
  }
}
