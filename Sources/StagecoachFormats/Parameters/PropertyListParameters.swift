#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Parameters prepared for an encoder of property lists: checked, and without values that property lists do not
/// support.
package struct PropertyListParameters: Encodable, Sendable {
  private indirect enum Node: Encodable, Sendable {
    case leaf(any Encodable & Sendable)
    case elements([Node])
    case members([String: Node])

    package func encode(to encoder: any Encoder) throws {
      switch self {
      case .leaf(let value):
        // Not encoded directly: only a container tells the encoder that the value is a date or data.
        var container = encoder.singleValueContainer()
        try container.encode(value)
      case .elements(let nodes): try nodes.encode(to: encoder)
      case .members(let members): try members.encode(to: encoder)
      }
    }
  }

  private let root: Node

  /// Checks parameters.
  ///
  /// Throws ``ParameterError``, or any error of a custom date style, which determines the order of sets.
  package init(_ parameters: Parameters, style: QueryEncoder) throws {
    root = try Self.node(parameters, at: ParameterPath(), style)
  }

  package func encode(to encoder: any Encoder) throws {
    try root.encode(to: encoder)
  }

  private static func node(_ parameters: Parameters, at path: ParameterPath, _ style: QueryEncoder) throws
    -> Node
  {
    var members: [String: Node] = [:]
    for member in parameters.members {
      let path = try path.appending(member.key, in: style)
      guard let value = try node(member.value, at: path, style) else { continue }
      guard members.updateValue(value, forKey: member.key) == nil else {
        throw ParameterError.duplicateKey(path.text)
      }
    }
    return .members(members)
  }

  /// Nil for a null that is left out.
  private static func node(_ value: ParameterValue, at path: ParameterPath, _ style: QueryEncoder) throws
    -> Node?
  {
    switch value {
    case .null:
      guard style.nullStyle == .drop else { throw ParameterError.nullInPropertyList(key: path.text) }
      return nil
    case .bool(let value): return .leaf(value)
    case .int(let value): return .leaf(value)
    case .double(let value):
      guard value.isFinite else { throw ParameterError.nonFiniteNumber(key: path.text) }
      return .leaf(value)
    case .string(let value): return .leaf(value)
    case .date(let value):
      guard value.timeIntervalSinceReferenceDate.isFinite else {
        throw ParameterError.unwritableDate(key: path.text)
      }
      return .leaf(value)
    case .data(let value): return .leaf(Data(value))
    case .array(let elements):
      return .elements(
        try elements.enumerated().compactMap { try node($1, at: path.appending("\($0)", in: style), style) }
      )
    case .set(let elements):
      let path = try path.appending("", in: style)
      return .elements(
        try elements.ordered(at: path, in: style).compactMap { try node($0.value, at: path, style) }
      )
    case .object(let parameters): return try node(parameters, at: path, style)
    }
  }
}
