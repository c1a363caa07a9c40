#if Images
  import StagecoachCore
  import Testing

  @testable import StagecoachImages

  @Suite struct ImageInfoTests {
    @Test(arguments: PNGFile.Kind.allCases) func readsAPNGHeader(kind: PNGFile.Kind) throws {
      var file = PNGFile.random(kind, width: 300, height: 70)
      let hasAlpha = kind == .greyAlpha || kind == .rgba
      var info = try ImageInfo(Bytes(file.bytes))
      #expect(info == ImageInfo(format: .png, width: 300, height: 70, hasAlpha: hasAlpha))
      guard !hasAlpha else { return }
      file.transparency = kind == .rgb ? [0, 1, 0, 2, 0, 3] : [0, 1]
      info = try ImageInfo(Bytes(file.bytes))
      #expect(info.hasAlpha)
    }

    @Test func readsAJPEGHeader() throws {
      for isProgressive in [false, true] {
        let file = try jpeg(squares(300, 70, components: 3), 300, 70, isProgressive: isProgressive)
        let info = try ImageInfo(Bytes(file))
        #expect(info == ImageInfo(format: .jpeg, width: 300, height: 70, hasAlpha: false))
      }
    }

    @Test(arguments: [true, false], [true, false]) func readsAWebPHeader(isLossless: Bool, hasAlpha: Bool)
      throws
    {
      var pixels = noise(300 * 70 * 4)
      if !hasAlpha { for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 } }
      let info = try ImageInfo(Bytes(webP(pixels, 300, 70, isLossless: isLossless)))
      #expect(info == ImageInfo(format: .webP, width: 300, height: 70, hasAlpha: hasAlpha))
    }

    @Test(arguments: Image.Orientation.allCases, [true, false])
    func readsTheOrientation(orientation: Image.Orientation, isLittleEndian: Bool) throws {
      let exif = exif(orientation.rawValue, isLittleEndian: isLittleEndian)
      var png = PNGFile.random(.rgb, width: 3, height: 2)
      png.extra = [("tEXt", Array("a\0b".utf8)), ("eXIf", exif)]
      let photo = try withExif(jpeg(noise(18), 3, 2), exif)
      let still = try WebPFile.pixelChunks(webP(noise(24), 3, 2))
      let plain = WebPFile.file(WebPFile.extended(flags: 0x18, 3, 2) + still + WebPFile.chunk("EXIF", exif))
      let prefixed = WebPFile.file(
        WebPFile.extended(flags: 0x18, 3, 2) + still + WebPFile.chunk("EXIF", Array("Exif\0\0".utf8) + exif)
      )
      for file in [png.bytes, photo, plain, prefixed] {
        let info = try ImageInfo(Bytes(file))
        #expect(info.orientation == orientation)
        #expect((info.width, info.height) == (3, 2))
      }
    }

    @Test func invalidOrientationsAreIgnored() throws {
      var swapped = exif(6)
      swapped.replaceSubrange(0..<4, with: Array("II*\0".utf8))
      let whole = exif(6)
      for exif in [exif(0), exif(9), exif(0xFFFF), [], swapped, Array(whole.prefix(30)), [0x4D, 0x4D]] {
        let info = try ImageInfo(Bytes(withExif(jpeg(noise(18), 3, 2), exif)))
        #expect(info.orientation == .up)
      }
    }

    /// Either there is not enough, or the size is right.
    @Test func readsAHeaderFromTheStartOfAFile() throws {
      var png = PNGFile.random(.palette, width: 20, height: 10)
      png.extra = [("eXIf", exif(3))]
      let files = try [
        png.bytes, withExif(jpeg(noise(600), 20, 10), exif(3)), webP(noise(800), 20, 10),
        webP(noise(800), 20, 10, isLossless: false),
      ]
      for file in files {
        var wasRead = false
        for length in 0..<file.count {
          do throws(ImageError) {
            let info = try ImageInfo(Bytes(Array(file[..<length])))
            #expect((info.width, info.height) == (20, 10))
            wasRead = true
          } catch {
            #expect(error.reason == .truncated)
            #expect(!wasRead, "more bytes give less")
          }
        }
        #expect(wasRead)
      }
    }

    @Test(
      arguments: [
        ("<!DOCTYPE html>", .unknownFormat), ("GIF89a\u{1}\0\u{1}\0", .unknownFormat),
        ("RIFF\u{4}\0\0\0WAVEfmt ", .unknownFormat), ("RIFF\u{C}\0\0\0WEBPABCD\u{4}\0\0\0abcd", .malformed),
        ("\u{7F}PNG", .unknownFormat), ("", .truncated), ("RIFF", .truncated),
        ("RIFF\u{4}\0\0\0WEB", .truncated),
      ] as [(String, ImageError.Reason)]
    )
    func refusesOtherData(text: String, reason: ImageError.Reason) {
      #expect { try ImageInfo(Bytes(text)) } throws: { ($0 as? ImageError)?.reason == reason }
    }

    @Test func refusesImpossibleHeaders() throws {
      func reason(_ bytes: [UInt8]) -> ImageError.Reason? {
        do throws(ImageError) {
          _ = try ImageInfo(Bytes(bytes))
          return nil
        } catch {
          return error.reason
        }
      }
      let png = PNGFile.random(.rgb, width: 2, height: 2).bytes
      for (offset, value) in [(11, 14), (13, 0x49), (16, 0x80), (19, 0), (23, 0), (24, 3), (25, 1)]
        as [(Int, UInt8)]
      {
        var changed = png
        changed[offset] = value
        #expect(reason(changed) == .malformed, "\(offset)")
      }
      #expect(reason([0xFF, 0xD8, 0xFF, 0xD9]) == .malformed)
      #expect(reason([0xFF, 0xD8, 0xFF, 0xDA, 0, 2]) == .malformed)
      #expect(reason([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0]) == .malformed)
      #expect(reason([0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 0, 0, 1, 1]) == .unsupported)
      #expect(reason([0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 0, 1]) == .malformed)
      let lossy = try webP(noise(16), 2, 2, isLossless: false)
      let start = try #require(lossy.indices.first { lossy[$0...].starts(with: [0x9D, 0x01, 0x2A]) })
      let tag = WebPFile.file(WebPFile.chunk("VP8 ", Array(lossy[(start - 3)...])))
      #expect(reason(tag) == nil)
      for (offset, value) in [(20, tag[20] | 1), (23, 0), (26, 0)] as [(Int, UInt8)] {
        var changed = tag
        changed[offset] = value
        #expect(reason(changed) == .malformed, "\(offset)")
      }
    }
  }
#endif
