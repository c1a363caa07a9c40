import StagecoachCore

/// The character encodings of JSON text that a serializer accepts.
public enum JSONEncodings: Sendable, Hashable {
  /// Only UTF-8, as RFC 8259 8.1 requires; other encodings are recognized and refused.
  case utf8
  /// UTF-8, UTF-16 and UTF-32, recognized by a byte order mark or by the zero bytes of the first characters (RFC 4627
  /// 3). A charset parameter, which the media type does not have, is ignored.
  case unicode

  /// The text in UTF-8; the same bytes if it is in that already.
  ///
  /// - Throws: ``JSONSyntaxError`` if the encoding is not read, ``CharsetError`` if the text is ill-formed in it.
  func utf8(_ bytes: Bytes) throws -> Bytes {
    guard let (charset, markLength) = bytes.withUnsafeBytes(Self.detect) else { return bytes }
    return try bytes.withUnsafeBytes { buffer in
      switch self {
      case .utf8:
        throw JSONSyntaxError(.unsupportedEncoding(charset.name), at: 0, in: buffer.assumingUInt8)
      case .unicode:
        return Bytes(try charset.decode(UnsafeRawBufferPointer(rebasing: buffer.dropFirst(markLength))))
      }
    }
  }

  /// The encoding and the length of its mark; nil for UTF-8.
  private static func detect(_ bytes: UnsafeRawBufferPointer) -> (charset: Charset, markLength: Int)? {
    if let mark = Charset.detectBOM(bytes) {
      return mark.charset == .utf8 ? nil : (mark.charset, mark.length)
    }
    guard bytes.count >= 2 else { return nil }
    // The first character is ASCII, and none is U+0000.
    let isWide = bytes.count >= 4 && bytes[2] == 0 && bytes[3] == 0
    return switch (bytes[0] == 0, bytes[1] == 0) {
    case (true, true): (.utf32BE, 0)
    case (true, false): (.utf16BE, 0)
    case (false, true): (isWide ? .utf32LE : .utf16LE, 0)
    case (false, false): nil
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var assumingUInt8: UnsafeBufferPointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
}
