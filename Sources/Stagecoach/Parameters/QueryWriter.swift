/// Writes the pairs of a query to one buffer.
struct QueryWriter {
  private let encoder: QueryEncoder
  private let charset: CharsetEncoder?
  /// The whole key of the value at hand, not escaped.
  private var key: [UInt8]
  private var hasPairs = false
  private var buffer: QueryBuffer

  /// With a charset, the text of keys and values is in it before it is escaped, UTF-8 otherwise.
  init(_ encoder: QueryEncoder, charset: CharsetEncoder?, key: [UInt8] = [], room: Int = 1024) {
    self.encoder = encoder
    self.charset = charset
    self.key = key
    buffer = QueryBuffer(encoder.escaping, room: room)
  }

  var output: ArraySlice<UInt8> { buffer.bytes }

  mutating func write(_ parameters: Parameters, depth: Int) throws {
    let members = parameters.members
    let order = order(of: members)
    for position in members.indices {
      let index = order?[position] ?? position
      let length = key.count
      switch encoder.objectStyle {
      case _ where depth == 0: append(toKey: members[index].key)
      case .bracket:
        key.append(UInt8(ascii: "["))
        append(toKey: members[index].key)
        key.append(UInt8(ascii: "]"))
      case .dot:
        key.append(UInt8(ascii: "."))
        append(toKey: members[index].key)
      }
      try write(members[index].value, depth: depth)
      key.removeLast(key.count - length)
    }
  }

  private mutating func append(toKey name: String) {
    var name = name
    name.withUTF8 { key.append(contentsOf: $0) }
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
    // Escaped, a comma of an element differs from one between elements; the other delimiters are always
    // escaped.
    let isComma = delimiter == UInt8(ascii: ",")
    var isFirst = true
    for element in elements {
      let isDropped = element == .null && encoder.nullStyle == .drop
      if isDropped { continue }
      guard let text = try text(of: element) else {
        throw ParameterEncodingError.nestedContainer(key: keyText)
      }
      guard isComma || !text.utf8.contains(delimiter) else {
        throw ParameterEncodingError.delimiterInElement(key: keyText)
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

  /// Writes each element by itself and puts the pieces in the order of the texts of the elements, of
  /// containers in that of what they became. Pieces that this leaves in any order are the same.
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
      guard value.isFinite else { throw ParameterEncodingError.nonFiniteNumber(key: keyText) }
      return NumberText.text(of: value)
    case .string(let text): return text
    case .date(let date):
      guard let text = try encoder.dateStyle.text(of: date) else {
        throw ParameterEncodingError.unwritableDate(key: keyText)
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
    var text = text
    if let charset {
      return try charset.encode(text, key: keyText).withUnsafeBufferPointer { buffer.append(escaping: $0) }
    }
    text.withUTF8 { buffer.append(escaping: $0) }
  }

  private var keyText: String { String(decoding: key, as: UTF8.self) }

  private func deeper(_ depth: Int) throws -> Int {
    let limit = min(encoder.depthLimit, QueryEncoder.greatestDepth)
    guard depth < limit else { throw ParameterEncodingError.tooDeep(key: keyText, limit: limit) }
    return depth + 1
  }

  /// The indices of the members in the order to write, nil for the order that they have.
  private func order(of members: [Parameters.Member]) -> [Int]? {
    guard encoder.keyOrder == .sorted,
      members.indices.dropFirst().contains(where: { members[$0].key < members[$0 - 1].key })
    else { return nil }
    let starts = Self.starts(of: members)
    // The index decides between equal keys, since the sort does not promise to be stable.
    return members.indices.sorted { left, right in
      if starts[left] != starts[right] { return starts[left] < starts[right] }
      let (leftKey, rightKey) = (members[left].key, members[right].key)
      return leftKey == rightKey ? left < right : leftKey < rightKey
    }
  }

  /// The first eight bytes of each key as a number that orders them, which spares most comparisons of texts;
  /// zeros where a key is not all ASCII, since canonical order is not that of bytes then.
  private static func starts(of members: [Parameters.Member]) -> [UInt64] {
    var starts: [UInt64] = []
    starts.reserveCapacity(members.count)
    for member in members {
      var key = member.key
      let start = key.withUTF8 { bytes -> UInt64? in
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * max(0, 8 - bytes.count))
      }
      guard let start else { return [UInt64](repeating: 0, count: members.count) }
      starts.append(start)
    }
    return starts
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
