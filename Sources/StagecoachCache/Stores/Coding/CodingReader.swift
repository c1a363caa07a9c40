/// Reads the binary form of a stored response. Any bytes give a result or an error.
struct CodingReader {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() throws(CacheCodingError) -> UInt8 {
    guard let byte = rest.popFirst() else { throw .truncated }
    return byte
  }

  mutating func flag() throws(CacheCodingError) -> Bool {
    let byte = try byte()
    guard byte <= 1 else { throw .invalid("flag") }
    return byte == 1
  }

  /// Reads a number in LEB128.
  mutating func number() throws(CacheCodingError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      let byte = try byte()
      // Of the tenth byte only one bit is left.
      guard shift < 63 || byte <= 1 else { throw .invalid("number") }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .invalid("number")
  }

  mutating func double() throws(CacheCodingError) -> Double {
    var pattern: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 8) { pattern |= UInt64(try byte()) << shift }
    return Double(bitPattern: pattern)
  }

  mutating func octets() throws(CacheCodingError) -> Slice<UnsafeRawBufferPointer> {
    let count = try number()
    guard count <= rest.count else { throw .truncated }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  mutating func text() throws(CacheCodingError) -> String {
    guard let text = String(validating: try octets(), as: UTF8.self) else { throw .invalid("text") }
    return text
  }
}
