extension JSONValue {
  /// The options for writing a JSON text.
  public struct WritingOptions: Sendable, Hashable {
    /// Whether each member and element has its own line, indented by two spaces per level; `false` by default.
    public var isPretty: Bool

    /// Whether members are sorted by the UTF-8 bytes of their keys, with duplicates in order; `false` by default.
    public var sortsKeys: Bool

    /// Whether "/" is written as `\/`, which makes the text safe in an HTML script element; `false` by default.
    public var escapesSlashes: Bool

    /// Creates options.
    public init(isPretty: Bool = false, sortsKeys: Bool = false, escapesSlashes: Bool = false) {
      self.isPretty = isPretty
      self.sortsKeys = sortsKeys
      self.escapesSlashes = escapesSlashes
    }
  }

  /// Returns the JSON text, in UTF-8 without a byte order mark.
  ///
  /// It parses to an equal value: with the literals of numbers, and members in their order (unless sorted) including
  /// duplicates. In strings only required characters are escaped (RFC 8259 7).
  public func serialized(_ options: WritingOptions = WritingOptions()) -> [UInt8] {
    var writer = JSONWriter(options: options)
    writer.write(self, level: 0)
    return writer.output
  }
}

/// Appends JSON text to a buffer.
private struct JSONWriter {
  let options: JSONValue.WritingOptions
  var output: [UInt8] = []

  mutating func write(_ value: JSONValue, level: Int) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): write(plain: number.text)
    case .string(let text): write(quoted: text)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for index in elements.indices {
        startLine(level + 1, isFirst: index == 0)
        write(elements[index], level: level + 1)
      }
      if !elements.isEmpty { breakLine(level) }
      output.append(UInt8(ascii: "]"))
    case .object(let object):
      let members = options.sortsKeys ? sorted(object.members) : object.members
      output.append(UInt8(ascii: "{"))
      for index in members.indices {
        startLine(level + 1, isFirst: index == 0)
        write(quoted: members[index].key)
        output.append(UInt8(ascii: ":"))
        if options.isPretty { output.append(UInt8(ascii: " ")) }
        write(members[index].value, level: level + 1)
      }
      if !members.isEmpty { breakLine(level) }
      output.append(UInt8(ascii: "}"))
    }
  }

  private mutating func startLine(_ level: Int, isFirst: Bool) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    breakLine(level)
  }

  private mutating func breakLine(_ level: Int) {
    guard options.isPretty else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }

  private mutating func write(plain text: String) {
    var text = text
    text.withUTF8 { output.append(contentsOf: $0) }
  }

  private mutating func write(quoted text: String) {
    var text = text
    output.append(UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      var run = 0
      for index in bytes.indices where needsEscape(bytes[index]) {
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[run..<index]))
        write(escaped: bytes[index])
        run = index + 1
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[run...]))
    }
    output.append(UInt8(ascii: "\""))
  }

  private func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      || (byte == UInt8(ascii: "/") && options.escapesSlashes)
  }

  private mutating func write(escaped byte: UInt8) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case ..<0x20:
      output.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u00".utf8)
      output.append(contentsOf: String(byte, radix: 16).utf8)
    default: output.append(byte)
    }
  }

  private func sorted(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
    // The index decides between equal keys, since the sort does not promise to be stable.
    members.enumerated().sorted { left, right in
      if left.element.hasKey(right.element.key) { return left.offset < right.offset }
      return left.element.key.utf8.lexicographicallyPrecedes(right.element.key.utf8)
    }
    .map(\.element)
  }
}
