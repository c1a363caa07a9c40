#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Parameters as an encoder of property lists takes them: checked, and without what those do not have.
struct PropertyListParameters: Encodable, Sendable {
  private indirect enum Node: Encodable, Sendable {
    case leaf(any Encodable & Sendable)
    case elements([Node])
    case members([String: Node])

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .leaf(let value):
        // Not by the value itself: only a container tells the encoder that it is a date or data.
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
  /// Throws ``ParameterEncodingError``, or what a custom style of dates throws, which orders sets.
  init(_ parameters: Parameters, style: QueryEncoder) throws {
    root = try Self.node(parameters, at: ParameterPath(), style)
  }

  func encode(to encoder: any Encoder) throws {
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
        throw ParameterEncodingError.duplicateKey(path.text)
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
      guard style.nullStyle == .drop else { throw ParameterEncodingError.nullInPropertyList(key: path.text) }
      return nil
    case .bool(let value): return .leaf(value)
    case .int(let value): return .leaf(value)
    case .double(let value):
      guard value.isFinite else { throw ParameterEncodingError.nonFiniteNumber(key: path.text) }
      return .leaf(value)
    case .string(let value): return .leaf(value)
    case .date(let value):
      guard value.timeIntervalSinceReferenceDate.isFinite else {
        throw ParameterEncodingError.unwritableDate(key: path.text)
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
