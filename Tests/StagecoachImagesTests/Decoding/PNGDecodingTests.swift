#if Images
  import StagecoachCore
  import Testing

  @testable import StagecoachImages

  @Suite struct PNGDecodingTests {
    @Test(arguments: PNGFile.Kind.allCases, [false, true])
    func decodesEveryColourKindAndDepth(kind: PNGFile.Kind, isInterlaced: Bool) async throws {
      for depth in kind.depths {
        for (width, height) in [(1, 1), (2, 3), (5, 1), (13, 9), (64, 33)] {
          let file = PNGFile.random(
            kind,
            depth: depth,
            width: width,
            height: height,
            isInterlaced: isInterlaced
          )
          let image = try await decode(file.bytes)
          #expect(image.pixels == file.pixels, "\(depth) bits, \(width) x \(height)")
          #expect((image.format, image.width, image.height) == (.png, width, height))
          #expect((image.scale, image.orientation) == (1, .up))
        }
      }
    }

    @Test func appliesTransparentColours() async throws {
      var grey = PNGFile.random(.grey, depth: 2, width: 9, height: 9)
      grey.transparency = [0, 2]
      var fine = PNGFile.random(.rgb, depth: 16, width: 3, height: 3)
      fine.transparency = fine.samples[6..<9].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      // The same in 8 bits, but not in 16.
      fine.samples.replaceSubrange(9..<12, with: fine.samples[6..<9].map { $0 ^ 1 })
      var palette = PNGFile.random(.palette, depth: 4, width: 9, height: 9)
      palette.transparency = [0, 100, 200]
      for file in [grey, fine, palette] {
        let image = try await decode(file.bytes)
        #expect(image.pixels == file.pixels)
        #expect(image.pixels.indices.contains { $0 % 4 == 3 && image.pixels[$0] != 255 })
      }
    }

    @Test func whatDoesNotChangeThePixelsIsSkipped() async throws {
      var file = PNGFile.random(.rgba, width: 4, height: 4)
      // None of it could be inflated.
      file.extra = [
        ("iCCP", Array("profile\0\0garbage".utf8)), ("zTXt", Array("key\0\0garbage".utf8)),
        ("iTXt", Array("key\0\u{1}\0\0\0garbage".utf8)), ("gAMA", [0, 0, 0x10, 0]), ("abCd", [1, 2, 3]),
      ]
      #expect(try await decode(file.bytes).pixels == file.pixels)
    }

    @Test func animationsAreTheirDefaultImage() async throws {
      var file = PNGFile.random(.rgb, width: 4, height: 4)
      file.extra = [("acTL", [0, 0, 0, 2, 0, 0, 0, 0])]
      #expect(try await decode(file.bytes).pixels == file.pixels)
    }

    @Test(arguments: ["IHDR", "PLTE", "IDAT"]) func refusesWrongChecksums(chunk: String) async throws {
      var file = PNGFile.random(.palette, width: 8, height: 8).bytes
      let name = Array(chunk.utf8)
      let start = try #require(file.indices.first { file[$0...].starts(with: name) })
      let length = file[(start - 4)..<start].reduce(0) { $0 << 8 | Int($1) }
      file[start + 4 + length] ^= 1
      #expect(try await refusal(of: file)?.reason == .malformed)
    }

    @Test func refusesUnknownCriticalChunks() async throws {
      var file = PNGFile.random(.rgb, width: 4, height: 4)
      file.extra = [("ABCD", [])]
      #expect(try await refusal(of: file.bytes)?.reason == .malformed)
    }
  }
#endif
