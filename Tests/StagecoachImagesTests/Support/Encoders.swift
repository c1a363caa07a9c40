#if Images
  import CImageEncoders
  import Foundation
  import Testing

  /// Encodes pixels as JPEG of quality 100 without subsampling.
  func jpeg(
    _ pixels: [UInt8],
    _ width: Int,
    _ height: Int,
    components: Int = 3,
    isProgressive: Bool = false,
    isArithmetic: Bool = false,
    isAdobe: Bool = false,
    isInterleaved: Bool = true
  ) throws -> [UInt8] {
    precondition(pixels.count == width * height * components)
    var count = 0
    let options = image_encoder_options(
      components: Int32(components),
      is_progressive: isProgressive ? 1 : 0,
      is_arithmetic: isArithmetic ? 1 : 0,
      is_adobe: isAdobe ? 1 : 0,
      has_scan_per_component: isInterleaved ? 0 : 1
    )
    let bytes = try #require(image_encoder_jpeg(pixels, UInt32(width), UInt32(height), options, &count))
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// Encodes RGBA as WebP.
  func webP(_ pixels: [UInt8], _ width: Int, _ height: Int, isLossless: Bool = true) throws -> [UInt8] {
    precondition(pixels.count == width * height * 4)
    var count = 0
    let bytes = try #require(
      image_encoder_webp(pixels, Int32(width), Int32(height), isLossless ? 1 : 0, &count)
    )
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
#endif
