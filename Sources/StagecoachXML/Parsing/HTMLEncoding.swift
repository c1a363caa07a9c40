internal import StagecoachCore

/// Which charset HTML is in (HTML 13.2.3.2, Encoding 4.2).
enum HTMLEncoding {
  /// The bytes that are looked through for a declaration.
  static let lookahead = 1024

  /// Determines the charset from the start of a document: by a byte order mark, the transport, or a declaration.
  ///
  /// - Parameters:
  ///   - start: The first bytes, at least 1024 if the document is that long.
  ///   - label: The charset of the transport. An unknown one is ignored.
  /// - Returns: The charset, `nil` if it is not declared, and the length of a byte order mark. The system may not support
  ///   the charset.
  static func charset(of start: [UInt8], transport label: String?) -> (charset: Charset?, markLength: Int) {
    if let (charset, length) = start.withUnsafeBytes({ Charset.detectBOM($0) }) { return (charset, length) }
    if let charset = label.flatMap({ Charset.onTheWeb($0) }) {
      return (charset.settingByteOrder(by: start), 0)
    }
    return (HTMLPrescan.charset(of: start), 0)
  }
}
