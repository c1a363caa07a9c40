/// Lets a value describe itself as a node.
struct ParameterTreeEncoder: Encoder {
  let tree: ParameterTree
  let node: ParameterNode
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .members = node.content {} else { node.content = .members([]) }
    return KeyedEncodingContainer(KeyedParameters(tree: tree, node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .elements = node.content {} else { node.content = .elements([]) }
    return UnkeyedParameters(tree: tree, node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleParameter(tree: tree, node: node, codingPath: codingPath)
  }
}

private struct KeyedParameters<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let tree: ParameterTree
  let node: ParameterNode
  let codingPath: [any CodingKey]

  private func text(of key: any CodingKey) -> String {
    let isData = node.origin == .dictionary || key is MemberKey
    return isData ? key.stringValue : tree.options.keyCase.text(of: key.stringValue)
  }

  private func put<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    let member =
      try value.map { try tree.node(of: $0, at: codingPath + [key]) }
      ?? ParameterNode(.ordinary, .leaf(.null))
    node.append(member, forKey: text(of: key))
  }

  func encodeNil(forKey key: Key) throws { try put(nil as Int?, key) }

  package func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try put(value, key) }

  // Each of these has a default that leaves out what is nil, which is for the null style to decide.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try put(value, key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(PositionKey.superclass) }

  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: any CodingKey) -> ParameterTreeEncoder {
    let child = ParameterNode()
    node.append(child, forKey: text(of: key))
    return ParameterTreeEncoder(tree: tree, node: child, codingPath: codingPath + [key])
  }
}

private struct UnkeyedParameters: UnkeyedEncodingContainer {
  let tree: ParameterTree
  let node: ParameterNode
  let codingPath: [any CodingKey]

  var count: Int {
    if case .elements(let nodes) = node.content { nodes.count } else { 0 }
  }

  func encodeNil() throws { node.append(ParameterNode(.ordinary, .leaf(.null))) }

  package func encode<Value: Encodable>(_ value: Value) throws {
    node.append(try tree.node(of: value, at: codingPath + [PositionKey.index(count)]))
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<
    NestedKey
  > {
    nested().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  func superEncoder() -> any Encoder { nested() }

  private func nested() -> ParameterTreeEncoder {
    let child = ParameterNode()
    let path = codingPath + [PositionKey.index(count)]
    node.append(child)
    return ParameterTreeEncoder(tree: tree, node: child, codingPath: path)
  }
}

private struct SingleParameter: SingleValueEncodingContainer {
  let tree: ParameterTree
  let node: ParameterNode
  let codingPath: [any CodingKey]

  func encodeNil() throws { node.content = .leaf(.null) }

  package func encode<Value: Encodable>(_ value: Value) throws {
    let inner = try tree.node(of: value, at: codingPath)
    // The origin of the inner value is lost unless its value is finished here.
    node.content = .leaf(inner.value)
  }
}
