/// Decodes octets in pieces.
///
/// The text does not depend on how the octets are split: the shift state at the end of a piece is kept for the next
/// one. A decoder serves one text.
package final class PiecewiseDecoder {
  private enum Decoder: ~Copyable {
    case system(SystemDecoder)
    case iso2022JP(ISO2022JPDecoder)
    /// A charset that needs no state between pieces, but for the start of a character.
    case stateless(Charset)
    case replacement
  }

  private let decoder: Decoder
  private let mode: Charset.Mode
  private var isReplaced = false

  /// Creates a decoder; `nil` for a charset that the C library does not support. UTF-16 and UTF-32 without a byte order
  /// in the name are big-endian.
  package init?(_ charset: Charset, mode: Charset.Mode) {
    switch charset.coding {
    case .utf16(nil): decoder = .stateless(.utf16BE)
    case .utf32(nil): decoder = .stateless(.utf32BE)
    case .utf8, .utf16, .utf32, .ascii, .latin1, .windows1252, .userDefined: decoder = .stateless(charset)
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
    case .stateless(let charset):
      let count = isLast ? bytes.count : Self.boundary(of: bytes, in: charset.coding)
      do throws(CharsetError) {
        let whole = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        return (try charset.decode(whole, mode: mode), count, false)
      } catch {
        return ("", 0, true)
      }
    case .replacement:
      guard !bytes.isEmpty, !isReplaced else { return ("", bytes.count, false) }
      isReplaced = true
      return mode == .strict ? ("", 0, true) : ("\u{FFFD}", bytes.count, false)
    }
  }

  /// Returns the position up to which octets contain only complete characters.
  private static func boundary(of bytes: UnsafeRawBufferPointer, in coding: Charset.Coding) -> Int {
    let count = bytes.count
    switch coding {
    case .utf8:
      for length in 1...3 where length <= count {
        let byte = bytes[count - length]
        guard byte & 0xC0 == 0x80 else {
          let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
          return needed > length ? count - length : count
        }
      }
      return count
    case .utf16(let order):
      let end = count & ~1
      guard end >= 2 else { return 0 }
      let isHigh = bytes[order == .littleEndian ? end - 1 : end - 2] & 0xFC == 0xD8
      return isHigh ? end - 2 : end
    case .utf32: return count & ~3
    default: return count
    }
  }
}
