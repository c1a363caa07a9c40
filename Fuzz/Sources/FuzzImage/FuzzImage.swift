import StagecoachCore

@testable import StagecoachFormats
@testable import StagecoachImages

/// Any bytes are an image of the size that its header tells, or an error, the same each time. The first byte says
/// whether the orientation is applied, and whether the checksums of PNG are corrected, which would otherwise keep nearly
/// everything from the decoder.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count >= 1 else { return 0 }
  let turns = start[0] & 1 == 1
  // A copy of exactly this size, so that the sanitizer sees who reads beyond it.
  var bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  if start[0] & 2 == 2 { bytes = correctChecksums(bytes) }
  let image = decode(bytes, turns)
  precondition(image == decode(bytes, turns), "another result")
  guard let info = try? ImageInfo(Bytes(bytes)) else {
    precondition(image == nil, "an image without a header")
    return 0
  }
  precondition(info.width > 0 && info.height > 0, "\(info)")
  guard let image else { return 0 }
  let isTurned = turns && info.orientation.swapsSides
  precondition(
    (image.width, image.height) == (isTurned ? (info.height, info.width) : (info.width, info.height))
  )
  precondition(image.format == info.format && image.orientation == (turns ? .up : info.orientation))
  return 0
}

private func decode(_ bytes: [UInt8], _ turns: Bool) -> Image? {
  let decoder = ImageDecoder(
    pixelLimit: 1 << 18,
    scale: 1,
    appliesOrientation: turns,
    cancellation: CancellationFlag()
  )
  do {
    return try decoder.decode(Bytes(bytes))
  } catch {
    precondition(error is ImageError, "\(error)")
    return nil
  }
}

/// Writes the right checksums into the chunks of a PNG image.
private func correctChecksums(_ bytes: [UInt8]) -> [UInt8] {
  guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return bytes }
  var bytes = bytes
  var position = 8
  while position + 12 <= bytes.count {
    let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    let end = position + 8 + length
    guard end + 4 <= bytes.count else { break }
    let sum = CRC32.of(Array(bytes[position + 4..<end]))
    for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> (24 - index * 8)) }
    position = end + 4
  }
  return bytes
}
