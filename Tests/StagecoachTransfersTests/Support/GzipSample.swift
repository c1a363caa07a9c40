import StagecoachFormats

/// Content in the format of gzip, of stored blocks.
enum GzipSample {
  static func member(of content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    var rest = content[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let size = UInt16(block.count)
      bytes.append(rest.isEmpty ? 1 : 0)
      for value in [size, ~size] { bytes += [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }
      bytes += block
    } while !rest.isEmpty
    for value in [CRC32.of(content), UInt32(truncatingIfNeeded: content.count)] {
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return bytes
  }
}
