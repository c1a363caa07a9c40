/// Decodes octets in pieces.
///
/// The text does not depend on how the octets are split: the shift state at the end of a piece is kept for the next
/// one. A decoder serves one text.
package final class PiecewiseDecoder {
  private enum Decoder: ~Copyable {
    case system(SystemDecoder)
    /// A charset in which every octet is a character.
    case singleByte(Charset.Coding)
  }

  private let decoder: Decoder
  private let mode: Charset.Mode

  /// Creates a decoder; `nil` for UTF-8, and for a charset that the C library does not support. UTF-16 and UTF-32
  /// without a byte order are big-endian.
  package init?(_ charset: Charset, mode: Charset.Mode) {
    switch charset.coding {
    case .utf8: return nil
    case .latin1, .windows1252: decoder = .singleByte(charset.coding)
    case .system(let name):
      guard let system = SystemDecoder(name) else { return nil }
      decoder = .system(system)
    }
    self.mode = mode
  }

  /// Decodes the complete characters.
  ///
  /// - Parameters:
  ///   - bytes: The rest of the previous piece, followed by the next one.
  ///   - isLast: Whether it is the last piece, of which no rest remains.
  /// - Returns: The text, the number of octets that were decoded, and whether decoding ended at octets that are not
  ///   text, in strict mode.
  package func decode(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> (
    text: String, count: Int, isMalformed: Bool
  ) {
    switch decoder {
    case .system(let system): system.decode(bytes, mode: mode, isLast: isLast)
    case .singleByte(let coding): (SingleByteCoder.decode(bytes, coding), bytes.count, false)
    }
  }
}
