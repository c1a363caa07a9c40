#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decodes values from what a query holds in one place: nothing, a leaf, a container, or several of them.
struct QueryValueDecoder: ShapedDecoder {
  let tree: QueryTree
  let contents: [QueryTree.Content]
  let codingPath: [any CodingKey]
  /// Whether keys are data, as in a dictionary, and not coding keys.
  var keepsKeys = false

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private var options: QueryDecoder { tree.options }

  /// The same for what is within.
  func inner(_ contents: [QueryTree.Content], _ key: any CodingKey) -> QueryValueDecoder {
    QueryValueDecoder(tree: tree, contents: contents, codingPath: codingPath + [key])
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let leaf = try leaf(as: type) {
      guard let value = leaf as? Value else { throw corrupted("not a \(type)") }
      return value
    }
    // A type that contains itself would go on forever where there is nothing to decode.
    guard codingPath.count <= QueryEncoder.greatestDepth else {
      throw corrupted("nested deeper than \(QueryEncoder.greatestDepth) levels")
    }
    var decoder = self
    decoder.keepsKeys = type is any KeyedByData.Type
    return try Value(from: decoder)
  }

  // MARK: Leaves

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

  /// The text of the only leaf; nil if it has none.
  private func text(for type: Any.Type) throws -> String? {
    let leaves = contents.compactMap(\.leaf)
    guard let leaf = leaves.first else {
      guard contents.isEmpty else { throw mismatch(type, "a container is not a \(type)") }
      throw missing
    }
    guard leaves.count == 1 else { throw corrupted("\(leaves.count) values where one is expected") }
    return leaf.text
  }

  /// Whether there is no value, or a representation of null.
  var isNull: Bool {
    guard let content = contents.first else { return true }
    guard contents.count == 1, let leaf = content.leaf else { return false }
    return tree.isNull(leaf.text)
  }

  /// The kind of the value; nothing at all is an object without members. The containers do not provide it: a single
  /// value is also accepted as an array of itself, and elements with indices as members.
  var shape: JSONShape {
    if contents.count == 1, let leaf = contents.first?.leaf, leaf.parts == nil { return .leaf }
    guard !contents.isEmpty else { return .object }
    return contents.compactMap(\.node).allSatisfy { tree.isArray($0) } ? .array : .object
  }

  // MARK: Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let node = contents.lazy.compactMap(\.node).first
    if node == nil, !isNull { throw mismatch([String: String].self, "a single value has no members") }
    if let node, node > 0, tree.entries(of: node).allSatisfy({ $0.segment == .append }) {
      throw mismatch([String: String].self, "an array has no members")
    }
    return KeyedDecodingContainer(KeyedQuery(decoder: self, node: node))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    var elements: [QueryTree.Content] = []
    for content in contents {
      switch content {
      case .node(let node):
        guard let members = tree.elements(of: node) else {
          throw mismatch([String].self, "an object is not an array")
        }
        elements.append(contentsOf: members)
      case .leaf(let leaf):
        guard let parts = leaf.parts else {
          elements.append(content)
          continue
        }
        elements.append(contentsOf: parts.map { .leaf(QueryTree.Leaf(text: $0)) })
      }
    }
    return UnkeyedQuery(decoder: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleQuery(decoder: self) }

  // MARK: Errors

  func corrupted(_ reason: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: reason))
  }

  private func mismatch(_ type: Any.Type, _ reason: String) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: reason))
  }

  private var missing: DecodingError {
    guard let key = codingPath.last else { return corrupted("a query has members") }
    let context = DecodingError.Context(codingPath: codingPath.dropLast(), debugDescription: "no such key")
    return .keyNotFound(key, context)
  }
}
