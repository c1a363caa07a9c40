internal import StagecoachCore

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
    Hexadecimal.decode(ScalarText.trimmed(text)).map { Data($0) }
  }
}
