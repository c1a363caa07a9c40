#if Images
  public import StagecoachCore

  /// The format, size and orientation of an encoded image, read from its header without decoding the pixels.
  ///
  /// ```swift
  /// let info = try ImageInfo(bytes)
  /// print(info.format.rawValue, info.width, info.height, info.orientation)
  /// ```
  public struct ImageInfo: Sendable, Hashable {
    /// The format, recognised by the first bytes.
    public let format: Image.Format

    /// The width of the stored pixels; of an animation, that of its canvas.
    public let width: Int

    /// The height of the stored pixels; of an animation, that of its canvas.
    public let height: Int

    /// The orientation in which the stored pixels have to be shown, from the EXIF data; ``Image/Orientation/up`` if there
    /// is none.
    public let orientation: Image.Orientation

    /// Whether the format of the pixels has an alpha channel or transparent colours.
    public let hasAlpha: Bool

    /// Reads the header of an image.
    ///
    /// The start of an image is enough, if it contains the size. The EXIF data of a WebP image is at its end, and that of
    /// a PNG image may be there too: without it the orientation is ``Image/Orientation/up``.
    ///
    /// - Parameter bytes: The encoded image, or its start.
    /// - Throws: ``ImageError`` if the format is unknown, the header is malformed, or its end is missing.
    public init(_ bytes: Bytes) throws(ImageError) {
      self = try bytes.withUnsafeBytes { buffer throws(ImageError) in
        try ImageInfo(ImageBytes(buffer))
      }
    }

    init(_ bytes: ImageBytes) throws(ImageError) {
      switch try Image.Format(sniffing: bytes) {
      case .png: self = try PNGHeader.read(bytes)
      case .jpeg: self = try JPEGHeader.read(bytes)
      case .webP: self = try WebPHeader(bytes).info
      }
    }

    init(
      format: Image.Format,
      width: Int,
      height: Int,
      orientation: Image.Orientation = .up,
      hasAlpha: Bool
    ) {
      self.format = format
      self.width = width
      self.height = height
      self.orientation = orientation
      self.hasAlpha = hasAlpha
    }
  }
#endif
