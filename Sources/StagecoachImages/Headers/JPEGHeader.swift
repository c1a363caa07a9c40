#if Images
  /// Reads the segments of a JPEG image up to its frame header (ITU-T T.81 B.2.2).
  enum JPEGHeader {
    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageInfo {
      var orientation: Image.Orientation?
      var position = 2
      while let (marker, start) = nextMarker(bytes, from: position) {
        switch marker {
        case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
          return try frame(bytes, at: start, orientation ?? .up)
        // Another start of an image and restarts have no content.
        case 0x01, 0xD0...0xD8: position = start
        case 0xD9, 0xDA: throw ImageError(.malformed, "the JPEG image has no frame header")
        default:
          guard let length = bytes.number(at: start, size: 2) else { throw truncated }
          guard length >= 2 else { throw ImageError(.malformed, "a JPEG segment has length \(length)") }
          if marker == 0xE1, orientation == nil, bytes.has("Exif\0\0", at: start + 2) {
            orientation = Image.Orientation(exif: bytes.part(from: start + 8, size: length - 8))
          }
          position = start + length
        }
      }
      throw truncated
    }

    private static var truncated: ImageError {
      ImageError(.truncated, "the JPEG image ends before its frame header")
    }

    /// Finds the next marker, skipping fill bytes and garbage as libjpeg does.
    ///
    /// - Returns: The marker, and the position after it; `nil` at the end of the data.
    private static func nextMarker(_ bytes: ImageBytes, from start: Int) -> (marker: UInt8, position: Int)? {
      var position = start
      var isPrefixed = false
      while let byte = bytes.byte(at: position) {
        position += 1
        if byte == 0xFF {
          isPrefixed = true
        } else if isPrefixed, byte != 0 {
          return (byte, position)
        } else {
          isPrefixed = false
        }
      }
      return nil
    }

    private static func frame(
      _ bytes: ImageBytes,
      at start: Int,
      _ orientation: Image.Orientation
    ) throws(ImageError) -> ImageInfo {
      guard let height = bytes.number(at: start + 3, size: 2),
        let width = bytes.number(at: start + 5, size: 2)
      else { throw truncated }
      guard width > 0 else { throw ImageError(.malformed, "the JPEG image declares a width of 0 pixels") }
      // The number of lines may follow after the first scan (DNL), which libjpeg does not support either.
      guard height > 0 else { throw ImageError(.unsupported, "the JPEG image does not declare its height") }
      return ImageInfo(
        format: .jpeg,
        width: width,
        height: height,
        orientation: orientation,
        hasAlpha: false
      )
    }
  }
#endif
