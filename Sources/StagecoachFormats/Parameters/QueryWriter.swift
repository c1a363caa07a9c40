/// Writes the pairs of a query to one buffer.
struct QueryWriter {
  private let encoder: QueryEncoder
  private let charset: CharsetEncoder?
  /// The whole key of the value at hand, not escaped.
  private var key: [UInt8]
  private var hasPairs = false
  private var buffer: QueryBuffer

  /// With a charset, the text of keys and values is in it before it is escaped, UTF-8 otherwise.
  init(_ encoder: QueryEncoder, charset: CharsetEncoder?, key: [UInt8] = [], room: Int) {
    self.encoder = encoder
    self.charset = charset
    self.key = key
    buffer = QueryBuffer(encoder.escaping, room: room)
  }

  var output: ArraySlice<UInt8> { buffer.bytes }

  mutating func write(_ parameters: Parameters, depth: Int) throws {
    let members = parameters.members
    guard encoder.keyOrder == .sorted, members.count > 1 else {
      for index in members.indices { try write(members[index], depth: depth) }
      return
    }
    for rank in KeyRank.order(of: members) { try write(members[rank.index], depth: depth) }
  }

  // Inlined, so that members are not copied out of their array.
  @inline(__always)
  private mutating func write(_ member: Parameters.Member, depth: Int) throws {
    // The most common kinds of members. They cannot fail, so that the key is not needed.
    if depth == 0, charset == nil, case .string(let text) = member.value {
      append(member.key, after: hasPairs ? UInt8(ascii: "&") : nil, isKey: true)
      hasPairs = true
      return append(text, after: UInt8(ascii: "="))
    }
    try writeUnderKey(member, depth: depth)
  }

  private mutating func writeUnderKey(_ member: Parameters.Member, depth: Int) throws {
    let length = key.count
    switch encoder.objectStyle {
    case _ where depth == 0: append(toKey: member.key)
    case .bracket:
      key.append(UInt8(ascii: "["))
      append(toKey: member.key)
      key.append(UInt8(ascii: "]"))
    case .dot:
      key.append(UInt8(ascii: "."))
      append(toKey: member.key)
    }
    try write(member.value, depth: depth)
    key.removeLast(key.count - length)
  }

  private mutating func append(_ text: String, after delimiter: UInt8?, isKey: Bool = false) {
    text.withUTF8Bytes { buffer.append(escaping: $0, after: delimiter, isKey: isKey) }
  }

  private mutating func append(toKey name: String) {
    name.withUTF8Bytes { key.append(contentsOf: $0) }
  }

  private mutating func write(_ value: ParameterValue, depth: Int) throws {
    switch value {
    case .object(let parameters): try write(parameters, depth: try deeper(depth))
    case .array(let elements): try write(elements, depth: try deeper(depth))
    case .set(let elements): try write(elements, depth: try deeper(depth))
    case .null:
      switch encoder.nullStyle {
      case .keyAlone: try beginPair()
      case .drop: break
      case .empty: try writePair("")
      case .literal: try writePair("null")
      }
    case .string(let text): try writePair(text)
    case .bool, .int, .double, .date, .data: try writePair(try text(of: value) ?? "")
    }
  }

  private mutating func write(_ elements: [ParameterValue], depth: Int) throws {
    if let delimiter = encoder.arrayStyle.delimiter { return try writeJoined(elements, by: delimiter) }
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

  private mutating func writeJoined(_ elements: [ParameterValue], by delimiter: UInt8) throws {
    // When escaped, a comma in an element differs from one between elements; the other delimiters are always escaped.
    let isComma = delimiter == UInt8(ascii: ",")
    var isFirst = true
    for element in elements {
      let isDropped = element == .null && encoder.nullStyle == .drop
      if isDropped { continue }
      guard let text = try text(of: element) else {
        throw ParameterError.nestedContainer(key: keyText)
      }
      guard isComma || !text.utf8.contains(delimiter) else {
        throw ParameterError.delimiterInElement(key: keyText)
      }
      if isFirst {
        try beginPair()
        buffer.append(UInt8(ascii: "="))
      } else if isComma {
        buffer.append(delimiter)
      } else {
        withUnsafePointer(to: delimiter) { buffer.append(escaping: UnsafeBufferPointer(start: $0, count: 1)) }
      }
      isFirst = false
      try append(text)
    }
  }

  /// Writes each element separately and sorts the pieces by the texts of the elements; containers are sorted by their
  /// encoded form. Pieces whose order remains undefined are equal.
  private mutating func write(_ elements: Set<ParameterValue>, depth: Int) throws {
    var pieces: [(text: String, output: ArraySlice<UInt8>)] = []
    for element in elements {
      var writer = QueryWriter(encoder, charset: charset, key: key, room: 64)
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
  private func text(of value: ParameterValue) throws -> String? {
    switch value {
    case .null: return encoder.nullStyle == .literal ? "null" : ""
    case .bool(let value):
      switch encoder.boolStyle {
      case .numeric: return value ? "1" : "0"
      case .literal: return value ? "true" : "false"
      }
    case .int(let value): return String(value)
    case .double(let value):
      guard value.isFinite else { throw ParameterError.nonFiniteNumber(key: keyText) }
      return NumberText.text(of: value)
    case .string(let text): return text
    case .date(let date):
      guard let text = try encoder.dateStyle.text(of: date) else {
        throw ParameterError.unwritableDate(key: keyText)
      }
      return text
    case .data(let bytes): return encoder.dataStyle.text(of: bytes)
    case .array, .set, .object: return nil
    }
  }

  private mutating func writePair(_ text: String) throws {
    try beginPair()
    buffer.append(UInt8(ascii: "="))
    try append(text)
  }

  private mutating func beginPair() throws {
    separate()
    guard let charset else { return key.withUnsafeBufferPointer { buffer.append(escaping: $0, isKey: true) } }
    let text = keyText
    try charset.encode(text, key: text).withUnsafeBufferPointer { buffer.append(escaping: $0, isKey: true) }
  }

  private mutating func separate() {
    if hasPairs { buffer.append(UInt8(ascii: "&")) }
    hasPairs = true
  }

  private mutating func append(_ text: String) throws {
    guard let charset else { return text.withUTF8Bytes { buffer.append(escaping: $0) } }
    try charset.encode(text, key: keyText).withUnsafeBufferPointer { buffer.append(escaping: $0) }
  }

  private var keyText: String { String(decoding: key, as: UTF8.self) }

  private func deeper(_ depth: Int) throws -> Int {
    let limit = min(encoder.depthLimit, QueryEncoder.greatestDepth)
    guard depth < limit else { throw ParameterError.tooDeep(key: keyText, limit: limit) }
    return depth + 1
  }
}

extension QueryEncoder.ArrayStyle {
  /// The character that separates joined elements; nil if they are not joined.
  var delimiter: UInt8? {
    switch self {
    case .comma: UInt8(ascii: ",")
    case .pipe: UInt8(ascii: "|")
    case .space: UInt8(ascii: " ")
    case .brackets, .indexed, .repeated, .custom: nil
    }
  }
}
