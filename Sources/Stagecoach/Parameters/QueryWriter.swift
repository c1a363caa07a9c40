/// Writes the pairs of a query to one buffer.
struct QueryWriter {
  private static let greatestDepth = 256

  private let encoder: QueryEncoder
  /// The whole key of the value at hand, not escaped.
  private var key: [UInt8]
  private var hasPairs = false
  private var buffer: QueryBuffer

  init(_ encoder: QueryEncoder) {
    self.init(encoder, key: [])
  }

  private init(_ encoder: QueryEncoder, key: [UInt8]) {
    self.encoder = encoder
    self.key = key
    buffer = QueryBuffer(encoder.escaping)
  }

  var output: ArraySlice<UInt8> { buffer.bytes }

  mutating func write(_ parameters: Parameters, depth: Int) throws(ParameterEncodingError) {
    let members = parameters.members
    let order = order(of: members)
    for position in members.indices {
      let member = members[order?[position] ?? position]
      let length = key.count
      if depth > 0 { key.append(UInt8(ascii: "[")) }
      key.append(contentsOf: member.key.utf8)
      if depth > 0 { key.append(UInt8(ascii: "]")) }
      try write(member.value, depth: depth)
      key.removeLast(key.count - length)
    }
  }

  private mutating func write(_ value: ParameterValue, depth: Int) throws(ParameterEncodingError) {
    switch value {
    case .object(let parameters): try write(parameters, depth: try deeper(depth))
    case .array(let elements): try write(elements, depth: try deeper(depth))
    case .set(let elements): try write(elements, depth: try deeper(depth))
    case .null:
      switch encoder.nullStyle {
      case .keyAlone: beginPair()
      case .drop: break
      case .empty: writePair("")
      case .literal: writePair("null")
      }
    case .bool, .int, .double, .string: writePair(try text(of: value) ?? "")
    }
  }

  private mutating func write(_ elements: [ParameterValue], depth: Int) throws(ParameterEncodingError) {
    if case .comma = encoder.arrayStyle { return try writeJoined(elements) }
    for (index, element) in elements.enumerated() {
      if case .custom(let makeKey) = encoder.arrayStyle {
        let arrayKey = key
        key = Array(makeKey(keyText, index).utf8)
        try write(element, depth: depth)
        key = arrayKey
      } else {
        let length = key.count
        if case .brackets = encoder.arrayStyle { key.append(contentsOf: "[]".utf8) }
        if case .indexed = encoder.arrayStyle { key.append(contentsOf: "[\(index)]".utf8) }
        try write(element, depth: depth)
        key.removeLast(key.count - length)
      }
    }
  }

  private mutating func writeJoined(_ elements: [ParameterValue]) throws(ParameterEncodingError) {
    var isFirst = true
    for element in elements {
      let isDropped = element == .null && encoder.nullStyle == .drop
      if isDropped { continue }
      guard let text = try text(of: element) else { throw .nestedContainer(key: keyText) }
      if isFirst {
        beginPair()
        buffer.append(UInt8(ascii: "="))
      } else {
        buffer.append(UInt8(ascii: ","))
      }
      isFirst = false
      append(text)
    }
  }

  /// Writes each element by itself and puts the pieces in the order of the texts of the elements, of containers in
  /// that of what they became. Pieces that this leaves in any order are the same.
  private mutating func write(_ elements: Set<ParameterValue>, depth: Int) throws(ParameterEncodingError) {
    var pieces: [(text: String, output: ArraySlice<UInt8>)] = []
    for element in elements {
      var writer = QueryWriter(encoder, key: key)
      try writer.write(element, depth: depth)
      guard writer.hasPairs else { continue }
      let text = try text(of: element) ?? String(decoding: writer.output, as: UTF8.self)
      pieces.append((text, writer.output))
    }
    pieces.sort { left, right in
      left.text == right.text ? left.output.lexicographicallyPrecedes(right.output) : left.text < right.text
    }
    for piece in pieces {
      separate()
      buffer.append(escaped: piece.output)
    }
  }

  /// The text of a leaf, nil for a container.
  private func text(of value: ParameterValue) throws(ParameterEncodingError) -> String? {
    switch value {
    case .null: return encoder.nullStyle == .literal ? "null" : ""
    case .bool(let value):
      switch encoder.boolStyle {
      case .numeric: return value ? "1" : "0"
      case .literal: return value ? "true" : "false"
      }
    case .int(let value): return String(value)
    case .double(let value):
      guard value.isFinite else { throw .nonFiniteNumber(key: keyText) }
      let text = value.description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .string(let text): return text
    case .array, .set, .object: return nil
    }
  }

  private mutating func writePair(_ text: String) {
    beginPair()
    buffer.append(UInt8(ascii: "="))
    append(text)
  }

  private mutating func beginPair() {
    separate()
    key.withUnsafeBufferPointer { buffer.append(escaping: $0) }
  }

  private mutating func separate() {
    if hasPairs { buffer.append(UInt8(ascii: "&")) }
    hasPairs = true
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { buffer.append(escaping: $0) }
  }

  private var keyText: String { String(decoding: key, as: UTF8.self) }

  private func deeper(_ depth: Int) throws(ParameterEncodingError) -> Int {
    let limit = min(encoder.depthLimit, Self.greatestDepth)
    guard depth < limit else { throw .tooDeep(key: keyText, limit: limit) }
    return depth + 1
  }

  /// The indices of the members in the order to write, nil for the order that they have.
  private func order(of members: [Parameters.Member]) -> [Int]? {
    guard encoder.keyOrder == .sorted, zip(members, members.dropFirst()).contains(where: { $1.key < $0.key })
    else { return nil }
    // The index decides between equal keys, since the sort does not promise to be stable.
    return members.indices.sorted { left, right in
      let (leftKey, rightKey) = (members[left].key, members[right].key)
      return leftKey < rightKey || (left < right && leftKey == rightKey)
    }
  }
}
