#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension QueryEncoder.DataStyle {
  /// Returns the text for bytes.
  package func text(of bytes: Bytes) -> String {
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
    case .hexadecimal: return bytes.withUnsafeBytes(\.hexadecimal)
    }
  }

  /// Returns the bytes for a text; `nil` if it is malformed. Padding may be missing, and digits may have any case.
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
