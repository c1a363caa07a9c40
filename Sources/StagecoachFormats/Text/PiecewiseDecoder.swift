/// Decodes octets in pieces.
///
/// The text does not depend on how the octets are split: the shift state at the end of a piece is kept for the next
/// one. A decoder serves one text.
package final class PiecewiseDecoder {
  private enum Decoder: ~Copyable {
    case system(SystemDecoder)
    /// A charset that needs no state between pieces, but for the start of a character.
    case stateless(Charset)
  }

  private let decoder: Decoder
  private let mode: Charset.Mode

  /// Creates a decoder; `nil` for a charset that the C library does not support. UTF-16 and UTF-32 without a byte order
  /// in the name are big-endian.
  package init?(_ charset: Charset, mode: Charset.Mode) {
    switch charset.coding {
    case .utf8, .latin1, .windows1252: decoder = .stateless(charset)
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
    case .stateless(let charset):
      let count = isLast || charset != .utf8 ? bytes.count : Self.boundary(ofUTF8: bytes)
      do throws(CharsetError) {
        let whole = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        return (try charset.decode(whole, mode: mode), count, false)
      } catch {
        return ("", 0, true)
      }
    }
  }

  /// Returns the position up to which octets contain only complete characters.
  private static func boundary(ofUTF8 bytes: UnsafeRawBufferPointer) -> Int {
    let count = bytes.count
    for length in 1...3 where length <= count {
      let byte = bytes[count - length]
      guard byte & 0xC0 == 0x80 else {
        let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        return needed > length ? count - length : count
      }
    }
    return count
  }
}
