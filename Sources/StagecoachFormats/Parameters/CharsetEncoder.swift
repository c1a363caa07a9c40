/// Writes text in a charset that contains ASCII and is not UTF-8.
struct CharsetEncoder {
  let charset: Charset

  /// Creates an encoder; `nil` for UTF-8, which needs none.
  ///
  /// Throws ``ParameterError/unusableCharset(_:)`` if the system does not support the charset, or it does not
  /// contain ASCII.
  init?(_ charset: Charset) throws(ParameterError) {
    if case .utf8 = charset.coding { return nil }
    self.charset = charset
    let ascii: [UInt8] = Array(0x20..<0x7F)
    guard (try? charset.encode(String(decoding: ascii, as: UTF8.self))) == ascii else {
      throw .unusableCharset(charset.name)
    }
  }

  /// Returns the text encoded in the charset.
  ///
  /// Throws ``ParameterError/unencodable(key:charset:)`` if it contains characters that are not in the
  /// charset.
  package func encode(_ text: String, key: @autoclosure () -> String) throws(ParameterError)
    -> [UInt8]
  {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    do throws(CharsetError) {
      return try charset.encode(text)
    } catch {
      throw .unencodable(key: key(), charset: charset.name)
    }
  }
}
