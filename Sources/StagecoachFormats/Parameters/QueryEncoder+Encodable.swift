#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension QueryEncoder {
  /// Returns the parameters of an `Encodable` value with keys, such as a structure or a dictionary.
  ///
  /// An optional property without a value is null, see ``nullStyle``. Members of dictionaries are sorted by their
  /// keys. Sets become ``ParameterValue/set(_:)``, `Date` and `Data` become ``ParameterValue/date(_:)`` and
  /// ``ParameterValue/data(_:)``, `URL` and `Decimal` become their text.
  ///
  /// Throws ``ParameterError``, or any error of the value.
  public func parameters(encoding value: some Encodable) throws -> Parameters {
    guard case .object(let parameters) = try ParameterTree(self).node(of: value, at: []).value else {
      throw ParameterError.noKeys
    }
    return parameters
  }
}

/// A value in the making.
final class ParameterNode {
  enum Content {
    case nothing
    case leaf(ParameterValue)
    case elements([ParameterNode])
    case members([(key: String, node: ParameterNode)])
  }

  package enum Origin {
    case ordinary
    /// A dictionary, whose keys are data and in no order.
    case dictionary
    /// A set, whose elements are in no order.
    case set
  }

  var content = Content.nothing
  let origin: Origin

  init(_ origin: Origin = .ordinary, _ content: Content = .nothing) {
    self.origin = origin
    self.content = content
  }

  /// The finished value; what encoded nothing has no members.
  var value: ParameterValue {
    switch content {
    case .nothing: return .object(Parameters())
    case .leaf(let value): return value
    case .elements(let nodes):
      return origin == .set ? .set(Set(nodes.map(\.value))) : .array(nodes.map(\.value))
    case .members(let members):
      let sorted = origin == .dictionary ? members.sorted { $0.key < $1.key } : members
      return .object(Parameters(sorted.map { Parameters.Member(key: $0.key, value: $0.node.value) }))
    }
  }

  func append(_ node: ParameterNode) {
    guard case .elements(var nodes) = content else {
      content = .elements([node])
      return
    }
    content = .nothing
    nodes.append(node)
    content = .elements(nodes)
  }

  func append(_ node: ParameterNode, forKey key: String) {
    guard case .members(var members) = content else {
      content = .members([(key, node)])
      return
    }
    content = .nothing
    members.append((key, node))
    content = .members(members)
  }
}

/// Makes nodes of values.
struct ParameterTree {
  let options: QueryEncoder

  init(_ options: QueryEncoder) {
    self.options = options
  }

  func node<Value: Encodable>(of value: Value, at path: [any CodingKey]) throws -> ParameterNode {
    if let leaf = try leaf(of: value, at: path) { return ParameterNode(.ordinary, .leaf(leaf)) }
    let limit = min(options.depthLimit, QueryEncoder.greatestDepth)
    guard path.count <= limit else {
      throw ParameterError.tooDeep(key: Self.text(of: path), limit: limit)
    }
    let origin: ParameterNode.Origin =
      value is any KeyedByData ? .dictionary : value is any Unordered ? .set : .ordinary
    let node = ParameterNode(origin)
    try value.encode(to: ParameterTreeEncoder(tree: self, node: node, codingPath: path))
    return node
  }

  private func leaf<Value: Encodable>(of value: Value, at path: [any CodingKey]) throws -> ParameterValue? {
    switch value {
    case let value as String: return .string(value)
    case let value as Bool: return .bool(value)
    case let value as Int: return .int(value)
    case let value as Double: return .double(value)
    case let value as Float:
      guard value.isFinite else { throw ParameterError.nonFiniteNumber(key: Self.text(of: path)) }
      return .string(NumberText.text(of: value))
    case let value as Date: return .date(value)
    case let value as Data: return .data(Bytes(value))
    case let value as URL: return .string(value.absoluteString)
    case let value as Decimal:
      guard value.isFinite else { throw ParameterError.nonFiniteNumber(key: Self.text(of: path)) }
      return .string(value.description)
    case let value as any BinaryInteger: return Int(exactly: value).map { .int($0) } ?? .string("\(value)")
    default: return nil
    }
  }

  package static func text(of path: [any CodingKey]) -> String {
    path.enumerated().map { $0.offset == 0 ? $0.element.stringValue : "[\($0.element.stringValue)]" }.joined()
  }
}

/// A dictionary.
protocol KeyedByData {}
extension Dictionary: KeyedByData {}

/// A set.
private protocol Unordered {}
extension Set: Unordered {}

/// The index of an element, or the place of a superclass.
enum PositionKey: CodingKey {
  case index(Int)
  case superclass

  init?(stringValue: String) {
    guard stringValue == "super" else { return nil }
    self = .superclass
  }

  init?(intValue: Int) {
    self = .index(intValue)
  }

  var stringValue: String {
    switch self {
    case .index(let index): String(index)
    case .superclass: "super"
    }
  }

  var intValue: Int? {
    if case .index(let index) = self { index } else { nil }
  }
}
