/// The decoder of the value at one place.
///
/// It fits into the three words that an existential holds without an allocation.
struct PlaceDecoder: Decoder {
  let session: DecodingSession
  private let record: Int32
  private let owner: Int32
  private let entry: Int32
  private let plan: Int16
  /// The kind of the place in the four lowest bits, the depth, at most ``DecodingWorkspace/depthLimit``,
  /// above.
  private let kindAndDepth: UInt16

  init(_ session: DecodingSession, _ place: Place, depth: Int) {
    self.session = session
    record = place.record
    owner = place.owner
    entry = place.entry
    plan = place.plan
    kindAndDepth = UInt16(place.kind.rawValue) | UInt16(truncatingIfNeeded: depth) << 4
  }

  var place: Place {
    var place = Place(Place.Kind(rawValue: UInt8(kindAndDepth & 15)) ?? .missing, Int(record))
    place.owner = owner
    place.entry = entry
    place.plan = plan
    return place
  }

  var depth: Int { Int(kindAndDepth >> 4) }

  var codingPath: [any CodingKey] { session.workspace.codingPath(depth) }

  var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedElement<Key>(try KeyedPlace(session, place, depth: depth, keyedBy: type)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try ElementList(session, place, depth: depth)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension PlaceDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { session.isNothing(place) }

  func decode(_ type: Bool.Type) throws -> Bool { try value(session.bool(at: place)) }
  func decode(_ type: String.Type) throws -> String { try value(session.string(at: place)) }
  func decode(_ type: Double.Type) throws -> Double { try value(session.double(at: place)) }
  func decode(_ type: Float.Type) throws -> Float { try value(session.float(at: place)) }
  @inline(__always)
  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    try value(session.integer(at: place))
  }
  func decode(_ type: Int128.Type) throws -> Int128 { try value(session.integer(at: place)) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try value(session.integer(at: place)) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try session.decode(type, KeyPlan.ValueKind(type), at: place, depth: depth)
  }

  @inline(__always)
  private func value<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw session.refusal(of: Value.self, at: place, depth) }
    return value
  }
}
