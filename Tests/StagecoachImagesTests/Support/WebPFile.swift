#if Images
  /// Writes the container of WebP.
  enum WebPFile {
    static func little(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    static func file(_ chunks: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }

    static func extended(flags: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
      chunk("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    /// The chunks of a file that hold its pixels.
    static func pixelChunks(_ file: [UInt8]) -> [UInt8] {
      var rest = file[12...]
      if rest.starts(with: Array("VP8X".utf8)) { rest = rest.dropFirst(18) }
      return Array(rest)
    }

    /// An animation of still images at places in a canvas.
    static func animation(
      _ width: Int,
      _ height: Int,
      _ frames: [(file: [UInt8], x: Int, y: Int, width: Int, height: Int)]
    ) -> [UInt8] {
      let chunks = frames.flatMap { frame in
        chunk(
          "ANMF",
          little(frame.x / 2, 3) + little(frame.y / 2, 3) + little(frame.width - 1, 3)
            + little(frame.height - 1, 3) + little(100, 3) + [0] + pixelChunks(frame.file)
        )
      }
      return file(extended(flags: 0x12, width, height) + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + chunks)
    }
  }
#endif
