#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Bytes as XML Schema writes them (Part 2): `xs:base64Binary` and `xs:hexBinary`.
enum DataText {
  /// White space anywhere is ignored.
  static func base64(_ text: UnsafeBufferPointer<UInt8>) -> Data? {
    Data(base64Encoded: Data(text.filter { !ScalarText.isSpace($0) }))
  }

  static func hexadecimal(_ text: UnsafeBufferPointer<UInt8>) -> Data? {
    let text = ScalarText.trimmed(text)
    guard text.count.isMultiple(of: 2) else { return nil }
    var data = Data(capacity: text.count / 2)
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return nil }
      data.append(high << 4 | low)
    }
    return data
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  static func hexadecimalText(_ data: Data) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(
      decoding: data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self
    )
  }
}
