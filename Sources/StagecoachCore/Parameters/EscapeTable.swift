/// What is written for each byte.
///
/// `@unchecked Sendable` is safe: the memory is written before the table is made and never freed.
struct EscapeTable: @unchecked Sendable {
  /// One to three bytes, the first of them lowest, and their count highest. No array, since to hold on to one
  /// costs more than to escape a short text.
  private let entries: UnsafePointer<UInt32>

  subscript(byte: UInt8) -> UInt32 { entries[Int(byte)] }

  static let afnetworking = EscapeTable { isPlain($0, besides: "-._~/?") ? $0 : nil }
  static let strict = EscapeTable { isPlain($0, besides: "-._~") ? $0 : nil }
  static let literalBrackets = EscapeTable { isPlain($0, besides: "-._~[]") ? $0 : nil }
  static let form = EscapeTable { byte in
    byte == UInt8(ascii: " ") ? UInt8(ascii: "+") : isPlain(byte, besides: "*-._") ? byte : nil
  }

  /// A table of what stands for a byte, and of escapes for those that nothing does.
  private init(_ substitute: (UInt8) -> UInt8?) {
    let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
    for byte in UInt8.min...UInt8.max {
      let digits = (Self.hexadecimalDigit(byte >> 4), Self.hexadecimalDigit(byte & 15))
      let escape = 3 << 24 | digits.1 << 16 | digits.0 << 8 | UInt32(UInt8(ascii: "%"))
      (entries + Int(byte)).initialize(to: substitute(byte).map { 1 << 24 | UInt32($0) } ?? escape)
    }
    self.entries = UnsafePointer(entries)
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
