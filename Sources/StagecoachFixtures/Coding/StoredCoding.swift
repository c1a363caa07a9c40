import StagecoachFormats

/// Applies content codings without compressing: blocks of the formats that hold their content as it is. Every decoder
/// reads them, and the same content gives the same bytes.
enum StoredCoding {
  /// Returns coded content; `nil` if the coding is not known.
  static func encode(_ bytes: [UInt8], as coding: String) -> [UInt8]? {
    switch coding.lowercased() {
    case "gzip", "x-gzip":
      let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
      return header + deflated(bytes) + littleEndian(CRC32.of(bytes), 4)
        + littleEndian(UInt32(truncatingIfNeeded: bytes.count), 4)
    case "deflate": return [0x78, 0x01] + deflated(bytes) + littleEndian(Adler32.of(bytes), 4).reversed()
    case "zstd": return zstandard(bytes)
    case "br": return brotli(bytes)
    case "identity": return bytes
    default: return nil
    }
  }

  private static func littleEndian(_ value: some FixedWidthInteger, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Calls a closure with each piece and whether it is the last one; once if there is no content.
  private static func pieces(
    of bytes: [UInt8],
    _ size: Int,
    _ body: (_ piece: ArraySlice<UInt8>, _ isLast: Bool) -> Void
  ) {
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(size)
      body(piece, rest.isEmpty)
    } while !rest.isEmpty
  }

  /// Stored blocks (RFC 1951 3.2.4).
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    pieces(of: bytes, 0xffff) { piece, isLast in
      let count = UInt16(piece.count)
      output += [isLast ? 1 : 0] + littleEndian(count, 2) + littleEndian(~count, 2) + piece
    }
    return output
  }

  /// Raw blocks (RFC 8878 3.1.1.2).
  private static func zstandard(_ bytes: [UInt8]) -> [UInt8] {
    // A single segment, whose size takes eight bytes.
    var output: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0xe0] + littleEndian(UInt64(bytes.count), 8)
    pieces(of: bytes, 128 << 10) { piece, isLast in
      output += littleEndian(UInt32(piece.count) << 3 | (isLast ? 1 : 0), 3) + piece
    }
    return output
  }

  /// Uncompressed meta-blocks (RFC 7932 9.2), in a window of 64 KiB.
  private static func brotli(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    guard !bytes.isEmpty else { return [0x06] }
    pieces(of: bytes, 1 << 16) { piece, _ in
      let length = UInt32(piece.count - 1)
      output += littleEndian(output.isEmpty ? length << 4 | 1 << 20 : length << 3 | 1 << 19, 3) + piece
    }
    return output + [0x03]
  }
}
