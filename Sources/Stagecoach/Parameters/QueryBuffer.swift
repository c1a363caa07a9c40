/// The text of a query in the making, which escapes what is added to it.
struct QueryBuffer {
  /// What is written for each byte: one to three bytes, the first of them lowest, and their count highest.
  private let table: [UInt32]
  /// The same for keys.
  private let keyTable: [UInt32]
  /// The text, `count` bytes, and room for more.
  private var storage: [UInt8]
  private var count = 0

  /// - Parameter room: How many bytes there is room for at first.
  init(_ escaping: QueryEncoder.Escaping, room: Int) {
    storage = [UInt8](repeating: 0, count: room)
    table =
      switch escaping {
      case .afnetworking: Self.afnetworking
      case .strict, .literalBrackets: Self.strict
      case .form: Self.form
      }
    keyTable = escaping == .literalBrackets ? Self.literalBrackets : table
  }

  var bytes: ArraySlice<UInt8> { storage[..<count] }

  /// Adds a delimiter.
  mutating func append(_ delimiter: UInt8) {
    reserve(1)
    storage[count] = delimiter
    count += 1
  }

  /// Adds text that has been escaped.
  mutating func append(escaped text: ArraySlice<UInt8>) {
    reserve(text.count)
    storage.replaceSubrange(count..<count + text.count, with: text)
    count += text.count
  }

  /// Adds text and escapes it.
  mutating func append(escaping text: UnsafeBufferPointer<UInt8>, isKey: Bool = false) {
    // The longest there can be, and one since four bytes are stored at a time, however many of them count.
    reserve(3 * text.count + 1)
    let (table, start) = (isKey ? keyTable : table, count)
    count = storage.withUnsafeMutableBytes { target in
      table.withUnsafeBufferPointer { table in
        var end = start
        for byte in text {
          let written = table[Int(byte)]
          target.storeBytes(of: written.littleEndian, toByteOffset: end, as: UInt32.self)
          end += Int(written >> 24)
        }
        return end
      }
    }
  }

  private mutating func reserve(_ room: Int) {
    guard storage.count - count < room else { return }
    storage.append(contentsOf: repeatElement(0, count: max(room, storage.count)))
  }

  private static let afnetworking = table { isPlain($0, besides: "-._~/?") ? $0 : nil }
  private static let strict = table { isPlain($0, besides: "-._~") ? $0 : nil }
  private static let literalBrackets = table { isPlain($0, besides: "-._~[]") ? $0 : nil }
  private static let form = table { byte in
    byte == UInt8(ascii: " ") ? UInt8(ascii: "+") : isPlain(byte, besides: "*-._") ? byte : nil
  }

  /// A table of what stands for a byte, and of escapes for those that nothing does.
  private static func table(_ substitute: (UInt8) -> UInt8?) -> [UInt32] {
    (UInt8.min...UInt8.max).map { byte in
      if let substitute = substitute(byte) { return 1 << 24 | UInt32(substitute) }
      let digits = (hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15))
      return 3 << 24 | digits.1 << 16 | digits.0 << 8 | UInt32(UInt8(ascii: "%"))
    }
  }

  private static func isPlain(_ byte: UInt8, besides characters: String) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: characters.utf8.contains(byte)
    }
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt32 {
    UInt32(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10)
  }
}
