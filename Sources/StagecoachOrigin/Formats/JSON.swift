#if Tool
  import NIOCore

  /// A JSON value that keeps the order of its members, and its encoder (RFC 8259).
  indirect enum JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
  {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }

    /// Names and values as an array of two-element arrays, since an object could not hold duplicates.
    static func pairs(_ pairs: some Sequence<(name: String, value: String)>) -> JSON {
      .array(pairs.map { .array([.string($0.name), .string($0.value)]) })
    }

    func encoded() -> ByteBuffer {
      var buffer = ByteBuffer()
      write(to: &buffer)
      return buffer
    }

    func write(to buffer: inout ByteBuffer) {
      switch self {
      case .null: buffer.writeStaticString("null")
      case .bool(let value): buffer.writeString(value ? "true" : "false")
      case .number(let value): buffer.writeString(String(value))
      case .string(let value): Self.write(value, to: &buffer)
      case .array(let elements):
        buffer.writeStaticString("[")
        for (index, element) in elements.enumerated() {
          if index > 0 { buffer.writeStaticString(",") }
          element.write(to: &buffer)
        }
        buffer.writeStaticString("]")
      case .object(let members):
        buffer.writeStaticString("{")
        for (index, member) in members.enumerated() {
          if index > 0 { buffer.writeStaticString(",") }
          Self.write(member.0, to: &buffer)
          buffer.writeStaticString(":")
          member.1.write(to: &buffer)
        }
        buffer.writeStaticString("}")
      }
    }

    private static func write(_ string: String, to buffer: inout ByteBuffer) {
      buffer.writeStaticString("\"")
      if string.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
        for byte in string.utf8 { writeEscaped(byte, to: &buffer) }
      } else {
        buffer.writeString(string)
      }
      buffer.writeStaticString("\"")
    }

    private static func writeEscaped(_ byte: UInt8, to buffer: inout ByteBuffer) {
      switch byte {
      case UInt8(ascii: "\""): buffer.writeStaticString("\\\"")
      case UInt8(ascii: "\\"): buffer.writeStaticString("\\\\")
      case UInt8(ascii: "\n"): buffer.writeStaticString("\\n")
      case UInt8(ascii: "\r"): buffer.writeStaticString("\\r")
      case UInt8(ascii: "\t"): buffer.writeStaticString("\\t")
      case 0..<0x10: buffer.writeString("\\u000" + String(byte, radix: 16))
      case 0x10..<0x20: buffer.writeString("\\u00" + String(byte, radix: 16))
      default: buffer.writeInteger(byte)
      }
    }
  }
#endif
