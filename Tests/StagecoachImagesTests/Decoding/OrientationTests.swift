#if Images
  import StagecoachCore
  import Testing

  @testable import StagecoachImages

  @Suite struct OrientationTests {
    /// Where the pixel of a row and a column is to be seen.
    private func place(_ column: Int, _ row: Int, _ orientation: Image.Orientation) -> (x: Int, y: Int) {
      let (lastColumn, lastRow) = (2, 1)
      return switch orientation {
      case .up: (column, row)
      case .upMirrored: (lastColumn - column, row)
      case .down: (lastColumn - column, lastRow - row)
      case .downMirrored: (column, lastRow - row)
      case .leftMirrored: (row, column)
      case .right: (lastRow - row, column)
      case .rightMirrored: (lastRow - row, lastColumn - column)
      case .left: (row, lastColumn - column)
      }
    }

    @Test(arguments: Image.Orientation.allCases) func turnsPixelsByTheOrientation(
      orientation: Image.Orientation
    ) async throws {
      var file = PNGFile.random(.rgba, width: 3, height: 2)
      file.extra = [("eXIf", exif(orientation.rawValue))]
      let image = try await decode(file.bytes)
      let isTurned = orientation.rawValue > 4
      #expect((image.width, image.height) == (isTurned ? (2, 3) : (3, 2)))
      #expect(image.orientation == .up)
      for row in 0..<2 {
        for column in 0..<3 {
          let (x, y) = place(column, row, orientation)
          let (from, to) = ((row * 3 + column) * 4, (y * image.width + x) * 4)
          #expect(image.pixels[to..<to + 4] == file.pixels[from..<from + 4])
        }
      }
    }

    @Test(arguments: Image.Orientation.allCases) func reportsTheOrientationWithoutTurning(
      orientation: Image.Orientation
    ) async throws {
      var file = PNGFile.random(.rgba, width: 3, height: 2)
      file.extra = [("eXIf", exif(orientation.rawValue))]
      let image = try await Image(decoding: Bytes(file.bytes), scale: 2, appliesOrientation: false)
      #expect(image.pixels == file.pixels)
      #expect((image.width, image.height, image.orientation) == (3, 2, orientation))
      #expect(image.pointSize == (orientation.rawValue > 4 ? (1, 1.5) : (1.5, 1)))
    }

    @Test func turnsJPEGAndWebPToo() async throws {
      let pixels = noise(3 * 2 * 4)
      let webP = try WebPFile.file(
        WebPFile.extended(flags: 0x18, 3, 2) + WebPFile.pixelChunks(webP(pixels, 3, 2))
          + WebPFile.chunk("EXIF", exif(3))
      )
      let turned = (0..<6).reversed().flatMap { pixels[$0 * 4..<$0 * 4 + 4] }
      #expect(try await decode(webP).pixels == turned)
      let photo = try jpeg(squares(16, 8, components: 1), 16, 8, components: 1)
      let (up, left) = try await (decode(photo), decode(withExif(photo, exif(8))))
      #expect((left.width, left.height) == (8, 16))
      // The first row is on the left, from below.
      #expect(left.pixels[(15 * 8) * 4] == up.pixels[0])
      #expect(left.pixels[0] == up.pixels[15 * 4])
    }
  }
#endif
