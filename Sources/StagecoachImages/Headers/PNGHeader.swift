#if Images
  /// Reads the chunks of a PNG image (W3C Portable Network Graphics).
  enum PNGHeader {
    private static let signatureLength = 8
    /// Length, type and checksum of a chunk.
    private static let chunkFrame = 12
    private static let maximumDimension = Int(Int32.max)

    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageInfo {
      guard let length = bytes.number(at: 8, size: 4), let width = bytes.number(at: 16, size: 4),
        let height = bytes.number(at: 20, size: 4), let depth = bytes.byte(at: 24),
        let type = bytes.byte(at: 25)
      else { throw ImageError(.truncated, "the PNG image ends within its header") }
      guard length == 13, bytes.has("IHDR", at: 12) else {
        throw ImageError(.malformed, "the PNG image does not start with its header")
      }
      guard 1...maximumDimension ~= width, 1...maximumDimension ~= height else {
        throw ImageError(.malformed, "the PNG image declares a size of \(width) x \(height) pixels")
      }
      guard depths(of: type).contains(depth) else {
        throw ImageError(.malformed, "the PNG image declares colour type \(type) with \(depth) bits")
      }
      let (orientation, hasTransparency) = scan(bytes)
      return ImageInfo(
        format: .png,
        width: width,
        height: height,
        orientation: orientation,
        hasAlpha: hasTransparency || type == 4 || type == 6
      )
    }

    /// The bit depths that a colour type can have.
    private static func depths(of type: UInt8) -> [UInt8] {
      switch type {
      case 0: [1, 2, 4, 8, 16]
      case 3: [1, 2, 4, 8]
      case 2, 4, 6: [8, 16]
      default: []
      }
    }

    /// Looks for EXIF data and for transparency, as far as there are bytes.
    private static func scan(_ bytes: ImageBytes) -> (Image.Orientation, hasTransparency: Bool) {
      var orientation: Image.Orientation?
      var hasTransparency = false
      var position = signatureLength
      while let length = bytes.number(at: position, size: 4), !bytes.has("IEND", at: position + 4) {
        if bytes.has("tRNS", at: position + 4) { hasTransparency = true }
        if orientation == nil, bytes.has("eXIf", at: position + 4) {
          orientation = Image.Orientation(exif: bytes.part(from: position + 8, size: length))
        }
        position += length + chunkFrame
      }
      return (orientation ?? .up, hasTransparency)
    }
  }
#endif
