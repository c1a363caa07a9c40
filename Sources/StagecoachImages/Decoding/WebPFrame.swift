#if Images
  /// The first frame of an animated WebP image, as an image of its own: libwebp alone decodes no animations.
  struct WebPFrame {
    /// The frame in a container without animation.
    let file: [UInt8]
    private let x: Int
    private let y: Int
    private let width: Int
    private let height: Int

    /// Finds the frame (RFC 9649 2.7.1.1).
    ///
    /// - Parameters:
    ///   - bytes: The animation.
    ///   - canvasWidth: The width of the canvas, which the frame must not exceed.
    ///   - canvasHeight: The height of the canvas.
    init(firstOf bytes: ImageBytes, width canvasWidth: Int, height canvasHeight: Int) throws(ImageError) {
      guard let content = WebPChunks(bytes).first(where: { $0.name == "ANMF" })?.content else {
        throw ImageError(.malformed, "the WebP animation has no frame")
      }
      func number(_ offset: Int) -> Int? { content.number(at: offset, size: 3, isLittleEndian: true) }
      guard let x = number(0), let y = number(3), let width = number(6), let height = number(9),
        content.count >= 16
      else { throw ImageError(.malformed, "the first frame of the WebP animation has no header") }
      self.x = x * 2
      self.y = y * 2
      self.width = width + 1
      self.height = height + 1
      guard self.x + self.width <= canvasWidth, self.y + self.height <= canvasHeight else {
        throw ImageError(.malformed, "the first frame of the WebP animation exceeds its canvas")
      }
      let data = content.part(from: 16, size: content.count)
      // A frame can have alpha in a chunk of its own, which needs the extended header.
      file =
        Array("RIFF".utf8) + Self.number(22 + data.count, size: 4) + Array("WEBPVP8X".utf8)
        + Self.number(10, size: 4) + [0x10, 0, 0, 0] + Self.number(width, size: 3)
        + Self.number(height, size: 3) + data.buffer
    }

    /// The place of the frame in the canvas.
    func area(in canvas: PixelArea) -> PixelArea {
      PixelArea(
        pixels: UnsafeMutableRawBufferPointer(rebasing: canvas.pixels[(y * canvas.rowLength + x * 4)...]),
        rowLength: canvas.rowLength,
        width: width,
        height: height
      )
    }

    private static func number(_ value: Int, size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
  }
#endif
