#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension QueryEncoder.DataStyle {
  /// The text of bytes.
  func text(of bytes: Bytes) -> String {
    switch self {
    case .base64: return Data(bytes).base64EncodedString()
    case .base64URL:
      let text = Data(bytes).base64EncodedString().utf8.compactMap { byte -> UInt8? in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "="): nil
        default: byte
        }
      }
      return String(decoding: text, as: UTF8.self)
    case .hexadecimal:
      let text = bytes.withUnsafeBytes { buffer in
        buffer.flatMap { [Hexadecimal.lowerCaseDigit($0 >> 4), Hexadecimal.lowerCaseDigit($0 & 15)] }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// The bytes that a text stands for; nil if it stands for none. Padding may be missing, and digits may have
  /// any case.
  func data(_ text: String) -> Data? {
    switch self {
    case .base64, .base64URL:
      var text = Array(text.utf8)
      if self == .base64URL {
        guard !text.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else {
          return nil
        }
        for index in text.indices {
          if text[index] == UInt8(ascii: "-") { text[index] = UInt8(ascii: "+") }
          if text[index] == UInt8(ascii: "_") { text[index] = UInt8(ascii: "/") }
        }
      }
      while text.last == UInt8(ascii: "=") { text.removeLast() }
      text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4))
      return Data(base64Encoded: Data(text))
    case .hexadecimal:
      let text = Array(text.utf8)
      guard text.count.isMultiple(of: 2) else { return nil }
      var data = Data(capacity: text.count / 2)
      for index in stride(from: 0, to: text.count, by: 2) {
        guard let high = Hexadecimal.value(text[index]), let low = Hexadecimal.value(text[index + 1]) else {
          return nil
        }
        data.append(high << 4 | low)
      }
      return data
    }
  }
}

/// Hexadecimal digits.
enum Hexadecimal {
  static func lowerCaseDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The value of a digit in any case; nil for what is none.
  static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
