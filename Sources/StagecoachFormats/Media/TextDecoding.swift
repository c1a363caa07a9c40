/// Decoded text with its charset.
public struct DecodedText: Sendable, Hashable {
  /// The text, without a byte order mark.
  public let text: String
  /// The charset of the decoded octets.
  public let charset: Charset
}

extension Charset {
  /// Returns the Unicode charset and the length of the byte order mark at the start of the octets; `nil` if there is
  /// none.
  public static func detectBOM(_ bytes: UnsafeRawBufferPointer) -> (charset: Charset, length: Int)? {
    // The byte order mark of UTF-32LE starts with that of UTF-16LE.
    for charset in [Charset.utf8, .utf32LE, .utf32BE, .utf16LE, .utf16BE] {
      let length = charset.markLength(in: bytes)
      if length > 0 { return (charset, length) }
    }
    return nil
  }

  /// Returns the length of this charset's byte order mark at the start; 0 if there is none, or if the decoder removes
  /// it.
  private func markLength(in bytes: UnsafeRawBufferPointer) -> Int {
    let mark: [UInt8] =
      switch self {
      case .utf8: [0xEF, 0xBB, 0xBF]
      case .utf16LE: [0xFF, 0xFE]
      case .utf16BE: [0xFE, 0xFF]
      case .utf32LE: [0xFF, 0xFE, 0, 0]
      case .utf32BE: [0, 0, 0xFE, 0xFF]
      default: coding == .system("GB18030") ? [0x84, 0x31, 0x95, 0x33] : []
      }
    return bytes.starts(with: mark) ? mark.count : 0
  }

  /// Decodes the octets of a message after determining their charset.
  ///
  /// The charset is the first of these: `override`; a byte order mark; the `charset` parameter of `contentType`, if
  /// this system has a decoder for it; UTF-8. A byte order mark of that charset is removed.
  ///
  /// - Parameters:
  ///   - bytes: All octets of the message.
  ///   - contentType: The media type of the message.
  ///   - override: A charset that overrides the declared one.
  ///   - mode: The handling of octets that are not text in the charset.
  /// - Throws: ``CharsetError/undecodable(_:offset:)`` in strict mode, counted from the first octet, and
  ///   ``CharsetError/unknown(_:)`` if the override, or the charset of a byte order mark, is not supported.
  public static func decodeText(
    _ bytes: UnsafeRawBufferPointer,
    contentType: MediaType?,
    override: Charset? = nil,
    mode: Mode = .strict
  ) throws(CharsetError) -> DecodedText {
    let charset = override ?? detectBOM(bytes)?.charset ?? contentType?.charset ?? .utf8
    let start = charset.markLength(in: bytes)
    do {
      let text = try charset.decode(UnsafeRawBufferPointer(rebasing: bytes[start...]), mode: mode)
      return DecodedText(text: text, charset: charset)
    } catch .unknown where override == nil && detectBOM(bytes) == nil {
      return try decodeText(bytes, contentType: nil, override: .utf8, mode: mode)
    } catch .undecodable(let name, let offset) {
      throw .undecodable(name, offset: start + offset)
    }
  }

  /// Decodes the octets of a message, like the function for a raw buffer.
  public static func decodeText(
    _ bytes: [UInt8],
    contentType: MediaType?,
    override: Charset? = nil,
    mode: Mode = .strict
  ) throws(CharsetError) -> DecodedText {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(CharsetError) in
        try decodeText(bytes, contentType: contentType, override: override, mode: mode)
      }
    }.get()
  }
}
