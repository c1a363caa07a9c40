#if Images
  import StagecoachCore
  import Testing

  @testable import StagecoachImages

  @Suite struct JPEGDecodingTests {
    /// Squares of one grey survive exactly.
    @Test(arguments: [(1, 1), (8, 8), (13, 9), (40, 24)]) func decodesGrey(width: Int, height: Int)
      async throws
    {
      let pixels = squares(width, height, components: 1)
      let image = try await decode(jpeg(pixels, width, height, components: 1))
      #expect(image.pixels == pixels.flatMap { [$0, $0, $0, 255] })
      #expect((image.format, image.width, image.height) == (.jpeg, width, height))
    }

    @Test func decodesColours() async throws {
      let pixels = squares(40, 24, components: 3)
      let image = try await decode(jpeg(pixels, 40, 24))
      for pixel in 0..<40 * 24 {
        for channel in 0..<3 {
          // Rounded on the way to luminance and chrominance and back.
          #expect(abs(Int(image.pixels[pixel * 4 + channel]) - Int(pixels[pixel * 3 + channel])) <= 2)
        }
        #expect(image.pixels[pixel * 4 + 3] == 255)
      }
    }

    /// The same coefficients in another order and another coding.
    @Test func baselineAndProgressiveGiveTheSamePixels() async throws {
      let pixels = noise(37 * 21 * 3)
      let baseline = try await decode(jpeg(pixels, 37, 21))
      let others = try await [
        decode(jpeg(pixels, 37, 21, isProgressive: true)), decode(jpeg(pixels, 37, 21, isArithmetic: true)),
        decode(jpeg(pixels, 37, 21, isInterleaved: false)),
      ]
      for other in others { #expect(other == baseline) }
    }

    @Test(arguments: [true, false]) func decodesCMYK(isAdobe: Bool) async throws {
      let pixels = squares(24, 16, components: 4)
      let image = try await decode(jpeg(pixels, 24, 16, components: 4, isAdobe: isAdobe))
      let expected = stride(from: 0, to: pixels.count, by: 4).flatMap { start -> [UInt8] in
        // The light that is left by each ink, 0...1.
        let light = (0..<4).map { Double(isAdobe ? pixels[start + $0] : 255 - pixels[start + $0]) / 255 }
        return (0..<3).map { UInt8((light[$0] * light[3] * 255).rounded()) } + [255]
      }
      #expect(image.pixels == expected)
    }

    @Test func garbageBetweenSegmentsIsSkipped() async throws {
      let pixels = squares(8, 8, components: 1)
      let file = try jpeg(pixels, 8, 8, components: 1)
      let changed = file[..<2] + [0xFF, 0xFF, 0xFE, 0, 3, 7, 1, 2, 3, 0xFF, 0] + file[2...]
      #expect(try await decode(Array(changed)).pixels == pixels.flatMap { [$0, $0, $0, 255] })
    }

    @Test func bytesAfterTheEndAreIgnored() async throws {
      let file = try jpeg(noise(300), 10, 10)
      #expect(try await decode(file + noise(500)) == decode(file))
    }

    /// A scan that ends early leaves pixels that nobody has sent.
    @Test func refusesAFileWithoutAllPixels() async throws {
      let file = try jpeg(noise(64 * 64 * 3), 64, 64)
      let error = try await refusal(of: Array(file[..<(file.count / 2)]) + [0xFF, 0xD9])
      #expect(error?.reason == .malformed)
    }

    @Test func refusesTooManyScans() async throws {
      let file = try jpeg(squares(16, 16, components: 3), 16, 16, isInterleaved: false)
      let last = try #require(file.indices.last { file[$0...].starts(with: [0xFF, 0xDA]) })
      let scan = Array(file[last..<(file.count - 2)])
      let many = file[..<last] + Array(repeating: scan, count: 150).flatMap { $0 } + [0xFF, 0xD9]
      #expect(try await refusal(of: Array(many))?.reason == .unsupported)
      let few = file[..<last] + Array(repeating: scan, count: 50).flatMap { $0 } + [0xFF, 0xD9]
      #expect(try await decode(Array(few)) == decode(file))
    }

    @Test func refusesTwelveBits() async throws {
      var file = try jpeg(noise(64), 8, 8, components: 1)
      let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0]) })
      file[frame + 4] = 12
      #expect(try await refusal(of: file)?.reason == .unsupported)
    }
  }
#endif
