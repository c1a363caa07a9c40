#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension QueryEncoder.DataStyle {
  /// Returns the text for bytes.
  package func text(of bytes: Bytes) -> String {
    switch self {
    case .base64, .base64URL:
      let isURL = self == .base64URL
      return String(decoding: Base64.encode(bytes.array, urlSafe: isURL, padded: !isURL), as: UTF8.self)
    case .hexadecimal: return bytes.withUnsafeBytes(\.hexadecimal)
    }
  }

  /// Returns the bytes for a text; `nil` if it is malformed. Padding may be missing, and hexadecimal digits may have any
  /// case.
  func data(_ text: String) -> Data? {
    switch self {
    case .base64, .base64URL:
      var digits = text.utf8[...]
      while digits.last == UInt8(ascii: "=") { digits.removeLast() }
      guard digits.count % 4 != 1, digits.allSatisfy({ Base64.value(of: $0) != nil }) else { return nil }
      return Data(Base64.decode(digits))
    case .hexadecimal: return Hexadecimal.decode(text.utf8).map { Data($0) }
    }
  }
}
