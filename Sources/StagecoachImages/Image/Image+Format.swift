#if Images
  extension Image {
    /// The format of an encoded image.
    @nonexhaustive
    public enum Format: String, Sendable, Hashable {
      /// Portable Network Graphics (`image/png`).
      case png
      /// JPEG (`image/jpeg`).
      case jpeg
      /// WebP (`image/webp`, RFC 9649).
      case webP = "webp"
    }
  }

  extension Image.Format {
    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let jpegSignature: [UInt8] = [0xFF, 0xD8, 0xFF]
    static let riffSignature: [UInt8] = Array("RIFF".utf8)

    /// Recognises the format by the first bytes.
    init(sniffing bytes: ImageBytes) throws(ImageError) {
      if bytes.starts(with: Self.pngSignature) {
        self = .png
      } else if bytes.starts(with: Self.jpegSignature) {
        self = .jpeg
      } else if bytes.starts(with: Self.riffSignature), bytes.has("WEBP", at: 8) {
        self = .webP
      } else if bytes.isStart(of: Self.pngSignature) || bytes.isStart(of: Self.jpegSignature)
        || bytes.isStart(of: Self.riffSignature) || bytes.count < 12 && bytes.starts(with: Self.riffSignature)
      {
        throw ImageError(.truncated, "there are only \(bytes.count) bytes, less than the start of an image")
      } else {
        throw ImageError(.unknownFormat, "the data does not start like PNG, JPEG or WebP")
      }
    }
  }
#endif
