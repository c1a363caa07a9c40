import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Bytes {
  /// Decodes Base64 (RFC 4648 4), ignoring white space; `nil` if it is malformed.
  init?(base64 text: some StringProtocol) {
    let digits = text.unicodeScalars.filter { !$0.properties.isWhitespace }.map(Character.init)
    guard let data = Data(base64Encoded: String(digits)) else { return nil }
    self.init(Array(data))
  }
}
