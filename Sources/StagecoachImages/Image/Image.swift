#if Images
  /// A decoded image: RGBA pixels in memory, with their size, scale and orientation.
  ///
  /// ```swift
  /// let image = try await client.value(for: .get("logo.png"), as: .image)
  /// print(image.width, image.height, image.pixels.count)
  /// ```
  ///
  /// Colour profiles are not applied: the pixels have the values of the file, whose colour space is usually sRGB.
  public struct Image: Sendable, Equatable {
    /// The format of the encoded image.
    public let format: Format

    /// The width in pixels.
    public let width: Int

    /// The height in pixels.
    public let height: Int

    /// The pixels, row by row from the top: red, green, blue and alpha, 8 bits each, without padding. Alpha is not
    /// premultiplied.
    public let pixels: [UInt8]

    /// The number of pixels per point; 1 by default.
    public let scale: Double

    /// The orientation in which the pixels have to be shown; ``Orientation/up`` if it was applied to the pixels.
    public let orientation: Orientation

    /// Creates an image from pixels; `nil` if a dimension is not positive, or the number of bytes is not 4 times width
    /// times height.
    ///
    /// - Parameters:
    ///   - format: The format of the encoded image.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - pixels: The pixels, row by row from the top: red, green, blue and alpha.
    ///   - scale: The number of pixels per point; 1 replaces a number that is not positive and finite.
    ///   - orientation: The orientation in which the pixels have to be shown.
    public init?(
      format: Format,
      width: Int,
      height: Int,
      pixels: [UInt8],
      scale: Double = 1,
      orientation: Orientation = .up
    ) {
      guard width > 0, height > 0, pixels.count % 4 == 0 else { return nil }
      let (count, overflows) = width.multipliedReportingOverflow(by: height)
      guard !overflows, count == pixels.count / 4 else { return nil }
      self.format = format
      self.width = width
      self.height = height
      self.pixels = pixels
      self.scale = scale > 0 && scale.isFinite ? scale : 1
      self.orientation = orientation
    }

    /// The size in points: the pixels divided by the scale, with the sides swapped if the orientation asks for it.
    public var pointSize: (width: Double, height: Double) {
      let (width, height) = orientation.swapsSides ? (height, width) : (width, height)
      return (Double(width) / scale, Double(height) / scale)
    }
  }

  extension Image: CustomStringConvertible, CustomReflectable {
    /// The format and the size.
    public var description: String { "\(format.rawValue) image of \(width) x \(height) pixels" }

    /// The properties, of the pixels only the number of bytes.
    public var customMirror: Mirror {
      Mirror(
        self,
        children: [
          "format": format, "width": width, "height": height, "scale": scale, "orientation": orientation,
          "bytes": pixels.count,
        ]
      )
    }
  }
#endif
