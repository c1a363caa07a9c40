/// The text of a query in the making, which escapes what is added to it.
struct QueryBuffer {
  /// A bit for each of the characters 0-63 and 64-127 that stays.
  private let plain: (low: UInt64, high: UInt64)
  /// The same for keys.
  private let plainInKeys: (low: UInt64, high: UInt64)
  private let spaceIsPlus: Bool
  /// The text, `count` bytes, and room for more.
  private var storage = [UInt8](repeating: 0, count: 256)
  private var count = 0

  init(_ escaping: QueryEncoder.Escaping) {
    let characters =
      switch escaping {
      case .afnetworking: "-._~/?"
      case .strict, .literalBrackets: "-._~"
      case .form: "*-._"
      }
    // The digits, and the letters of both cases.
    var (low, high): (UInt64, UInt64) = (0x03FF_0000_0000_0000, 0x07FF_FFFE_07FF_FFFE)
    for byte in characters.utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }
    plain = (low, high)
    if escaping == .literalBrackets {
      for byte in "[]".utf8 { high |= 1 << UInt64(byte & 63) }
    }
    plainInKeys = (low, high)
    spaceIsPlus = escaping == .form
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
    reserve(3 * text.count)
    let (plain, spaceIsPlus, start) = (isKey ? plainInKeys : plain, spaceIsPlus, count)
    count = storage.withUnsafeMutableBufferPointer { target in
      var end = start
      for byte in text {
        let mask = byte < 64 ? plain.low : byte < 128 ? plain.high : 0
        if mask >> UInt64(byte & 63) & 1 == 1 {
          target[end] = byte
          end += 1
        } else if byte == UInt8(ascii: " "), spaceIsPlus {
          target[end] = UInt8(ascii: "+")
          end += 1
        } else {
          target[end] = UInt8(ascii: "%")
          target[end + 1] = Self.hexadecimalDigit(byte >> 4)
          target[end + 2] = Self.hexadecimalDigit(byte & 15)
          end += 3
        }
      }
      return end
    }
  }

  private mutating func reserve(_ room: Int) {
    guard storage.count - count < room else { return }
    storage.append(contentsOf: repeatElement(0, count: max(room, storage.count)))
  }

  @inline(__always)
  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
