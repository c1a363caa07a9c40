#if Images
  /// The container of a WebP image (RFC 9649 2).
  struct WebPHeader {
    let info: ImageInfo

    /// Whether the image is an animation.
    let isAnimated: Bool

    /// The number of bytes that the container declares.
    let declaredLength: Int

    init(_ bytes: ImageBytes) throws(ImageError) {
      guard let length = bytes.number(at: 4, size: 4, isLittleEndian: true) else { throw Self.truncated }
      declaredLength = length + 8
      if bytes.has("VP8X", at: 12) {
        (info, isAnimated) = try Self.extended(bytes)
      } else if bytes.has("VP8L", at: 12) {
        info = try Self.lossless(bytes)
        isAnimated = false
      } else if bytes.has("VP8 ", at: 12) {
        info = try Self.lossy(bytes)
        isAnimated = false
      } else {
        throw bytes.count < 16
          ? Self.truncated : ImageError(.malformed, "the WebP container starts with an unknown chunk")
      }
    }

    private static var truncated: ImageError {
      ImageError(.truncated, "the WebP image ends within its header")
    }

    private static func lossy(_ bytes: ImageBytes) throws(ImageError) -> ImageInfo {
      guard let tag = bytes.byte(at: 20), let start = bytes.number(at: 23, size: 3),
        let width = bytes.number(at: 26, size: 2, isLittleEndian: true),
        let height = bytes.number(at: 28, size: 2, isLittleEndian: true)
      else { throw truncated }
      // A key frame and its start code (RFC 6386 9.1). The upper two bits are a hint for scaling.
      guard tag & 1 == 0, start == 0x9D012A, width & 0x3FFF > 0, height & 0x3FFF > 0 else {
        throw ImageError(.malformed, "the VP8 data of the WebP image does not start with a key frame")
      }
      return ImageInfo(format: .webP, width: width & 0x3FFF, height: height & 0x3FFF, hasAlpha: false)
    }

    private static func lossless(_ bytes: ImageBytes) throws(ImageError) -> ImageInfo {
      guard let signature = bytes.byte(at: 20), let bits = bytes.number(at: 21, size: 4, isLittleEndian: true)
      else { throw truncated }
      // The version in the last three bits is 0 (RFC 9649 3.4).
      guard signature == 0x2F, bits >> 29 == 0 else {
        throw ImageError(.malformed, "the VP8L data of the WebP image has no signature")
      }
      return ImageInfo(
        format: .webP,
        width: bits & 0x3FFF + 1,
        height: bits >> 14 & 0x3FFF + 1,
        hasAlpha: bits >> 28 & 1 == 1
      )
    }

    private static func extended(_ bytes: ImageBytes) throws(ImageError) -> (ImageInfo, isAnimated: Bool) {
      guard let length = bytes.number(at: 16, size: 4, isLittleEndian: true), let flags = bytes.byte(at: 20),
        let width = bytes.number(at: 24, size: 3, isLittleEndian: true),
        let height = bytes.number(at: 27, size: 3, isLittleEndian: true)
      else { throw truncated }
      guard length >= 10 else {
        throw ImageError(.malformed, "the header of the WebP image has \(length) bytes")
      }
      var orientation = Image.Orientation.up
      if flags & 0x08 != 0, let exif = WebPChunks(bytes).first(where: { $0.name == "EXIF" })?.content {
        // Some programs write the prefix that EXIF data has in JPEG.
        let prefix = exif.has("Exif\0\0", at: 0) ? 6 : 0
        orientation = Image.Orientation(exif: exif.part(from: prefix, size: exif.count)) ?? .up
      }
      let info = ImageInfo(
        format: .webP,
        width: width + 1,
        height: height + 1,
        orientation: orientation,
        hasAlpha: flags & 0x10 != 0
      )
      return (info, flags & 0x02 != 0)
    }
  }
#endif
