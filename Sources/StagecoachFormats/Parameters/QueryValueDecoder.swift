#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decodes values from a query: from all of it, from the pairs of one key, or from one element of these.
struct QueryValueDecoder: Decoder {
  private enum Level {
    case query, key, element
  }

  private let options: QueryDecoder
  private let level: Level
  private let pairs: [QueryPair]
  let codingPath: [any CodingKey]
  /// Whether keys are data, as in a dictionary, and not coding keys.
  private var keepsKeys = false

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ pairs: [QueryPair], _ options: QueryDecoder) {
    self.init(options, .query, pairs, [])
  }

  private init(_ options: QueryDecoder, _ level: Level, _ pairs: [QueryPair], _ codingPath: [any CodingKey]) {
    (self.options, self.level, self.pairs, self.codingPath) = (options, level, pairs, codingPath)
  }

  fileprivate func member(_ key: any CodingKey, _ pairs: [QueryPair]) -> QueryValueDecoder {
    QueryValueDecoder(options, .key, pairs, codingPath + [key])
  }

  fileprivate func element(_ value: String?, at index: Int) -> QueryValueDecoder {
    let pair = QueryPair(key: "", value: value)
    return QueryValueDecoder(options, .element, [pair], codingPath + [PositionKey.index(index)])
  }

  fileprivate func name(of key: any CodingKey) -> String {
    keepsKeys || key is MemberKey ? key.stringValue : options.keyCase.text(of: key.stringValue)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let leaf = try leaf(as: type) {
      guard let value = leaf as? Value else { throw corrupted("not a \(type)") }
      return value
    }
    var decoder = self
    decoder.keepsKeys = type is any KeyedByData.Type
    return try Value(from: decoder)
  }

  // MARK: Single values

  /// A value of a type that has a text; nil for all other types.
  private func leaf(as type: any Decodable.Type) throws -> Any? {
    switch type {
    case is String.Type:
      return try text(for: type) ?? ""
    case is Bool.Type:
      switch try text(for: type) {
      case "1", "true": return true
      case "0", "false": return false
      default: throw corrupted("not a boolean, 1 or 0, true or false")
      }
    case is Double.Type:
      return try value(type) { NumberText.number($0) as Double? }
    case is Float.Type:
      return try value(type) { NumberText.number($0) as Float? }
    case is Date.Type:
      return try value(type) { try options.dateStyle.date($0) }
    case is Data.Type:
      return try value(type) { options.dataStyle.data($0) }
    case is URL.Type:
      return try value(type) { URL(string: $0) }
    case is Decimal.Type:
      // `Decimal` reads what it can and ignores the rest.
      return try value(type) { (NumberText.number($0) as Double?) == nil ? nil : Decimal(string: $0) }
    case let type as any FixedWidthInteger.Type:
      return try value(type) { Self.integer($0, type) }
    default: return nil
    }
  }

  private static func integer<Integer: FixedWidthInteger>(_ text: String, _ type: Integer.Type) -> Any? {
    Integer(text).map { $0 as Any }
  }

  private func value<Value>(_ type: Any.Type, _ read: (String) throws -> Value?) throws -> Value {
    let text = try text(for: type)
    guard let text, let value = try read(text) else { throw corrupted("not a \(type)") }
    return value
  }

  /// The text of the only pair; nil if it has none.
  private func text(for type: Any.Type) throws -> String? {
    guard level != .query else { throw mismatch(type, "a query has keys") }
    guard let pair = pairs.first else {
      let context = DecodingError.Context(codingPath: codingPath.dropLast(), debugDescription: "no such key")
      throw DecodingError.keyNotFound(codingPath.last ?? MemberKey(stringValue: ""), context)
    }
    guard pairs.count == 1 else { throw corrupted("\(pairs.count) values where one is expected") }
    return pair.value
  }

  /// Whether there is no value, or a representation of null.
  fileprivate var isNull: Bool {
    guard level != .query, let pair = pairs.first else { return level != .query }
    guard pairs.count == 1 else { return false }
    switch options.nullStyle {
    case .keyAlone: return pair.value == nil
    case .drop: return false
    case .empty: return pair.value?.isEmpty ?? true
    case .literal: return pair.value == "null"
    }
  }

  // MARK: Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard level == .query else { throw nested }
    return KeyedDecodingContainer(KeyedQuery(decoder: self, pairs: pairs))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard level == .key else { throw nested }
    // Whoever sorts the keys of a query as text puts a[10] before a[2].
    let indexes = pairs.compactMap { QueryPair.parts(of: $0.key).index.flatMap { Int($0) } }
    let ordered =
      indexes.count == pairs.count
      ? zip(indexes, pairs.indices).sorted { $0 < $1 }.map { pairs[$0.1] } : pairs
    return UnkeyedQuery(
      decoder: self,
      elements: ordered.flatMap { $0.elements?.map(Optional.some) ?? [$0.value] }
    )
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleQuery(decoder: self) }

  // MARK: Errors

  private func corrupted(_ reason: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: reason))
  }

  private func mismatch(_ type: Any.Type, _ reason: String) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: reason))
  }

  private var nested: DecodingError {
    guard let key = codingPath.first else { return corrupted("a query has keys") }
    return corrupted(
      "nested values of '\(key.stringValue)' are not decoded; queryItems(from:) returns the pairs"
    )
  }
}

/// The members of a query.
private struct KeyedQuery<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: QueryValueDecoder
  /// The names of the pairs, in the order of the first of each.
  private var names: [String] = []
  private var pairs: [String: [QueryPair]] = [:]

  init(decoder: QueryValueDecoder, pairs: [QueryPair]) {
    self.decoder = decoder
    for pair in pairs {
      let name = QueryPair.name(of: pair.key)
      if self.pairs[name] == nil { names.append(name) }
      self.pairs[name, default: []].append(pair)
    }
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { names.compactMap(Key.init(stringValue:)) }

  private func member(_ key: any CodingKey) -> QueryValueDecoder {
    decoder.member(key, pairs[QueryPair.name(of: decoder.name(of: key))] ?? [])
  }

  func contains(_ key: Key) -> Bool { pairs[QueryPair.name(of: decoder.name(of: key))] != nil }

  func decodeNil(forKey key: Key) -> Bool { member(key).isNull }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try member(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { member(PositionKey.superclass) }

  func superDecoder(forKey key: Key) -> any Decoder { member(key) }
}

/// The values of one key of a query.
private struct UnkeyedQuery: UnkeyedDecodingContainer {
  let decoder: QueryValueDecoder
  let elements: [String?]
  private(set) var currentIndex = 0

  init(decoder: QueryValueDecoder, elements: [String?]) {
    (self.decoder, self.elements) = (decoder, elements)
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  /// The element at hand; what reads it moves on.
  private func current(_ type: Any.Type) throws -> QueryValueDecoder {
    guard !isAtEnd else {
      let path = codingPath + [PositionKey.index(currentIndex)]
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(codingPath: path, debugDescription: "no more elements")
      )
    }
    return decoder.element(elements[currentIndex], at: currentIndex)
  }

  mutating func decodeNil() throws -> Bool {
    guard try current(Any?.self).isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try current(type).decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try current(type).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try current([Any].self).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    defer { currentIndex += 1 }
    return try current((any Decoder).self)
  }
}

/// One value of a query.
private struct SingleQuery: SingleValueDecodingContainer {
  let decoder: QueryValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
