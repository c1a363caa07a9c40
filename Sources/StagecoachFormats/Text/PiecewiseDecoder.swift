/// Decodes octets in pieces.
///
/// The text does not depend on how the octets are split: the shift state at the end of a piece is kept for the next
/// one. A decoder serves one text.
package final class PiecewiseDecoder {
  private enum Decoder: ~Copyable {
    case system(SystemDecoder)
    case iso2022JP(ISO2022JPDecoder)
    /// A charset in which every octet is a character.
    case singleByte(Charset)
    case replacement
  }

  private let decoder: Decoder
  private let mode: Charset.Mode
  private var isReplaced = false

  /// Creates a decoder; `nil` for UTF-8, UTF-16 and UTF-32, and for a charset that the C library does not support.
  package init?(_ charset: Charset, mode: Charset.Mode) {
    switch charset.coding {
    case .utf8, .utf16, .utf32: return nil
    case .ascii, .latin1, .windows1252, .userDefined: decoder = .singleByte(charset)
    case .replacement: decoder = .replacement
    case .iso2022JP:
      guard let japanese = ISO2022JPDecoder() else { return nil }
      decoder = .iso2022JP(japanese)
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
    case .system(let system): return system.decode(bytes, mode: mode, isLast: isLast)
    case .iso2022JP(let japanese): return japanese.decode(bytes, mode: mode, isLast: isLast)
    case .singleByte(let charset):
      do throws(CharsetError) {
        return (try charset.decode(bytes, mode: mode), bytes.count, false)
      } catch {
        return ("", 0, true)
      }
    case .replacement:
      guard !bytes.isEmpty, !isReplaced else { return ("", bytes.count, false) }
      isReplaced = true
      return mode == .strict ? ("", 0, true) : ("\u{FFFD}", bytes.count, false)
    }
  }
}
