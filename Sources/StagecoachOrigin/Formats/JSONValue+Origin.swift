#if Tool
  import NIOCore
  import StagecoachCore

  extension JSONValue {
    /// A whole number.
    static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

    /// Names and values as an array of two-element arrays, since an object could not hold duplicates.
    static func pairs(_ pairs: some Sequence<(name: String, value: String)>) -> JSONValue {
      .array(pairs.map { [.string($0.name), .string($0.value)] })
    }

    func encoded() -> ByteBuffer { ByteBuffer(bytes: serialized()) }
  }
#endif
