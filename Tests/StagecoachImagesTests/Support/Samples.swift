#if Images
  import StagecoachCore
  import TestSupport

  @testable import StagecoachImages

  /// Random bytes, always the same.
  func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SplitMix(state: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// Pixels in squares of 8 x 8 of one colour each, as JPEG cuts an image.
  func squares(_ width: Int, _ height: Int, components: Int, seed: UInt64 = 1) -> [UInt8] {
    let colours = noise(((width + 7) / 8) * ((height + 7) / 8) * components, seed: seed)
    return (0..<height).flatMap { row in
      (0..<width).flatMap { column in
        let square = row / 8 * ((width + 7) / 8) + column / 8
        return colours[square * components..<(square + 1) * components]
      }
    }
  }

  func decode(_ bytes: [UInt8], pixelLimit: Int = Image.defaultPixelLimit) async throws -> Image {
    try await Image(decoding: Bytes(bytes), pixelLimit: pixelLimit)
  }

  /// Why bytes cannot be decoded; `nil` if they can.
  func refusal(of bytes: [UInt8], pixelLimit: Int = Image.defaultPixelLimit) async throws -> ImageError? {
    do {
      _ = try await decode(bytes, pixelLimit: pixelLimit)
      return nil
    } catch let error as ImageError {
      return error
    }
  }

  /// EXIF data with an orientation, in either order of bytes, after another entry.
  func exif(_ orientation: Int, isLittleEndian: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      return isLittleEndian ? bytes : bytes.reversed()
    }
    let other = number(0x010F, 2) + number(2, 2) + number(4, 4) + Array("abc\0".utf8)
    let own = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
    return Array((isLittleEndian ? "II*\0" : "MM\0*").utf8) + number(8, 4) + number(2, 2) + other + own
      + number(0, 4)
  }

  /// A JPEG image with EXIF data after its start.
  func withExif(_ jpeg: [UInt8], _ exif: [UInt8]) -> [UInt8] {
    let segment = Array("Exif\0\0".utf8) + exif
    let length = segment.count + 2
    return jpeg[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + segment + jpeg[2...]
  }
#endif
