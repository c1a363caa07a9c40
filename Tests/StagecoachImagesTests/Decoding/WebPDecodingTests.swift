#if Images
  import StagecoachCore
  import Testing

  @testable import StagecoachImages

  @Suite struct WebPDecodingTests {
    @Test(arguments: [(1, 1), (13, 9), (64, 33)]) func decodesLosslessImages(width: Int, height: Int)
      async throws
    {
      let pixels = noise(width * height * 4)
      let image = try await decode(webP(pixels, width, height))
      #expect(image.pixels == pixels)
      #expect((image.format, image.width, image.height) == (.webP, width, height))
    }

    @Test func decodesLossyImages() async throws {
      let colour: [UInt8] = [200, 100, 50, 255]
      let pixels = Array(repeating: colour, count: 32 * 32).flatMap { $0 }
      let image = try await decode(webP(pixels, 32, 32, isLossless: false))
      for (index, value) in image.pixels.enumerated() {
        #expect(abs(Int(value) - Int(colour[index % 4])) <= 6)
      }
    }

    @Test func animationsAreTheirFirstFrame() async throws {
      let (first, second) = (noise(4 * 3 * 4), noise(10 * 8 * 4, seed: 2))
      let file = try WebPFile.animation(
        10,
        8,
        [(webP(first, 4, 3), 2, 4, 4, 3), (webP(second, 10, 8), 0, 0, 10, 8)]
      )
      let image = try await decode(file)
      var canvas = [UInt8](repeating: 0, count: 10 * 8 * 4)
      for row in 0..<3 {
        let start = ((row + 4) * 10 + 2) * 4
        canvas.replaceSubrange(start..<start + 16, with: first[row * 16..<(row + 1) * 16])
      }
      #expect(image.pixels == canvas)
    }

    /// Such a frame has a chunk for its alpha.
    @Test func decodesTheFirstFrameOfALossyAnimation() async throws {
      let still = try webP(noise(20 * 10 * 4), 20, 10, isLossless: false)
      let animation = WebPFile.animation(20, 10, [(still, 0, 0, 20, 10)])
      #expect(try await decode(animation).pixels == decode(still).pixels)
    }

    @Test func refusesImpossibleAnimations() async throws {
      let still = try webP(noise(4 * 4 * 4), 4, 4)
      let files = [
        WebPFile.animation(10, 10, []), WebPFile.animation(10, 10, [(still, 8, 0, 4, 4)]),
        WebPFile.animation(10, 10, [(still, 0, 8, 4, 4)]), WebPFile.animation(10, 10, [(still, 0, 0, 5, 4)]),
        WebPFile.animation(3, 3, [(still, 0, 0, 4, 4)]),
        WebPFile.file(WebPFile.extended(flags: 2, 4, 4) + WebPFile.chunk("ANMF", [0, 0, 0])),
      ]
      for file in files { #expect(try await refusal(of: file)?.reason == .malformed) }
    }

    @Test func refusesACanvasOfAnotherSize() async throws {
      let still = try WebPFile.pixelChunks(webP(noise(4 * 4 * 4), 4, 4))
      let file = WebPFile.file(WebPFile.extended(flags: 0x10, 8, 8) + still)
      #expect(try await refusal(of: file)?.reason == .malformed)
    }

    @Test func bytesAfterTheEndAreIgnored() async throws {
      let file = try webP(noise(400), 10, 10)
      #expect(try await decode(file + noise(500)) == decode(file))
    }
  }
#endif
