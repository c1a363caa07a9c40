/// The members of an object in a query.
struct KeyedQuery<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: QueryValueDecoder
  /// Nil where there is nothing.
  let node: Int?

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    guard let node else { return [] }
    var seen: Set<String> = []
    return decoder.tree.entries(of: node).compactMap { entry in
      guard let text = entry.segment.key, seen.insert(text).inserted else { return nil }
      return Key(stringValue: text)
    }
  }

  private func contents(_ key: any CodingKey) -> [QueryTree.Content] {
    guard let node else { return [] }
    let tree = decoder.tree
    let isData = decoder.keepsKeys || key is MemberKey
    let text = isData ? key.stringValue : tree.options.keyCase.text(of: key.stringValue)
    let contents = tree.contents(of: node, at: .key(text))
    guard case .indexed = tree.options.arrayStyle, let index = Int(text) else { return contents }
    return contents + tree.contents(of: node, at: .index(index))
  }

  private func inner(_ key: any CodingKey) -> QueryValueDecoder { decoder.inner(contents(key), key) }

  func contains(_ key: Key) -> Bool { !contents(key).isEmpty }

  func decodeNil(forKey key: Key) -> Bool { inner(key).isNull }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try inner(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try inner(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try inner(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { inner(PositionKey.superclass) }

  func superDecoder(forKey key: Key) -> any Decoder { inner(key) }
}

/// The elements of an array in a query.
struct UnkeyedQuery: UnkeyedDecodingContainer {
  let decoder: QueryValueDecoder
  let elements: [QueryTree.Content]
  var currentIndex = 0

  init(decoder: QueryValueDecoder, elements: [QueryTree.Content]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  /// The element at hand; what reads it moves on.
  private func current(_ type: Any.Type) throws -> QueryValueDecoder {
    let key = PositionKey.index(currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(codingPath: codingPath + [key], debugDescription: "no more elements")
      )
    }
    return decoder.inner([elements[currentIndex]], key)
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
    let container = try current(type).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try current([Any].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try current((any Decoder).self)
    currentIndex += 1
    return decoder
  }
}

/// One value of a query.
struct SingleQuery: SingleValueDecodingContainer {
  let decoder: QueryValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
