#if Images
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachImages

  @Suite(.timeLimit(.minutes(2))) struct HostileImageTests {
    private static func samples() throws -> [(name: String, bytes: [UInt8])] {
      var png = PNGFile.random(.palette, depth: 4, width: 11, height: 7, isInterlaced: true)
      png.transparency = [1, 2, 3]
      png.extra = [("eXIf", exif(6))]
      let lossy = try webP(noise(11 * 7 * 4), 11, 7, isLossless: false)
      return try [
        ("png", png.bytes), ("rgba16", PNGFile.random(.rgba, depth: 16, width: 5, height: 5).bytes),
        ("jpeg", withExif(jpeg(noise(11 * 7 * 3), 11, 7), exif(6))),
        ("progressive", jpeg(noise(11 * 7 * 3), 11, 7, isProgressive: true)),
        ("cmyk", jpeg(noise(11 * 7 * 4), 11, 7, components: 4)), ("lossless", webP(noise(11 * 7 * 4), 11, 7)),
        ("lossy", lossy), ("animation", WebPFile.animation(13, 9, [(lossy, 2, 2, 11, 7)])),
      ]
    }

    @Test func refusesAnImageCutAnywhere() async throws {
      for (name, bytes) in try Self.samples() {
        #expect(try await refusal(of: bytes) == nil, "\(name)")
        for length in 0..<bytes.count {
          let reason = try await refusal(of: Array(bytes[..<length]))?.reason
          #expect(reason == .truncated, "\(name) of \(bytes.count) bytes cut at \(length)")
        }
      }
    }

    /// Whatever comes in, an image of the declared size or an error comes out.
    @Test(arguments: 0..<8) func mutatedImagesNeverCrash(sample: Int) async throws {
      let (name, bytes) = try Self.samples()[sample]
      var random = SplitMix(state: UInt64(sample))
      for _ in 0..<800 {
        var changed = bytes
        for _ in 0...Int.random(in: 0..<4, using: &random) {
          guard !changed.isEmpty else { break }
          let place = Int.random(in: 0..<changed.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 1: changed[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0
          case 2: changed.remove(at: place)
          default: changed.insert(contentsOf: noise(3, seed: UInt64(place)), at: place)
          }
        }
        // Else the checksums keep nearly all of them from the decoder.
        if bytes[1] == 0x50, Bool.random(using: &random) { changed = PNGFile.fixChecksums(changed) }
        guard let info = try? ImageInfo(Bytes(changed)) else {
          #expect(try await refusal(of: changed, pixelLimit: 1 << 20) != nil, "\(name)")
          continue
        }
        guard let image = try? await decode(changed, pixelLimit: 1 << 20) else { continue }
        #expect(image.pixels.count == info.width * info.height * 4, "\(name)")
      }
    }

    @Test func refusesHugeSizesBeforeDecoding() async throws {
      let header = PNGFile.number(100_000) + PNGFile.number(100_000) + [8, 6, 0, 0, 0]
      let png = PNGFile.file([("IHDR", header), ("IDAT", PNGFile.zlib([0])), ("IEND", [])])
      let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0xFF, 0xDC, 0xFF, 0xDC, 1, 1, 0x11, 0]
      let webP = WebPFile.file(WebPFile.extended(flags: 0, 1 << 24, 1 << 24))
      for bytes in [png, photo, webP] { #expect(try await refusal(of: bytes)?.reason == .pixelLimit) }
      let wide = PNGFile.number(2_000_000) + PNGFile.number(1) + [8, 6, 0, 0, 0]
      #expect(try await refusal(of: PNGFile.file([("IHDR", wide)]))?.reason == .unsupported)
    }

    /// As large as the limit allows, with next to no data.
    @Test func refusesLargeSizesWithoutData() async throws {
      let header = PNGFile.number(8000) + PNGFile.number(8000) + [8, 6, 0, 0, 0]
      let png = PNGFile.file([("IHDR", header), ("IDAT", PNGFile.zlib([0])), ("IEND", [])])
      #expect(try await refusal(of: png)?.reason == .malformed)
      var photo = try jpeg(noise(64), 8, 8, components: 1)
      let frame = try #require(photo.indices.first { photo[$0...].starts(with: [0xFF, 0xC0]) })
      photo.replaceSubrange(frame + 5..<frame + 9, with: [0x1F, 0x40, 0x1F, 0x40])
      #expect(try await refusal(of: photo)?.reason == .malformed)
    }

    @Test func refusesImagesBeyondThePixelLimit() async throws {
      let bytes = PNGFile.random(.rgb, width: 10, height: 10).bytes
      #expect(try await refusal(of: bytes, pixelLimit: 100) == nil)
      for limit in [99, 0, -1, Int.min] {
        let error = try await refusal(of: bytes, pixelLimit: limit)
        #expect(error?.reason == .pixelLimit)
        #expect(error?.description == "the image has 10 x 10 pixels, more than the limit of \(limit)")
      }
      #expect(try await refusal(of: bytes, pixelLimit: .max) == nil)
    }

    /// Text of 258 bytes for every 13 bits.
    @Test func doesNotInflateCompressedText() async throws {
      var bits = DeflateBomb()
      for _ in 0..<500_000 { bits.appendRun() }
      var file = PNGFile.random(.rgb, width: 2, height: 2)
      let bomb = [0x78, 0x01] + bits.bytes
      file.extra = Array(repeating: ("zTXt", Array("key\0\0".utf8) + bomb), count: 8)
      file.extra += [
        ("iCCP", Array("profile\0\0".utf8) + bomb), ("iTXt", Array("key\0\u{1}\0\0\0".utf8) + bomb),
      ]
      // They would be 1.3 GB.
      #expect(try await decode(file.bytes).pixels == file.pixels)
    }

    @Test func aCancelledDecodingEnds() async throws {
      let bytes = PNGFile.random(.rgba, width: 200, height: 200).bytes
      let flag = CancellationFlag()
      let decoder = ImageDecoder(pixelLimit: 1 << 20, scale: 1, appliesOrientation: true, cancellation: flag)
      _ = try decoder.decode(Bytes(bytes))
      flag.set()
      for bytes in try [bytes, jpeg(noise(300), 10, 10)] {
        #expect(throws: CancellationError.self) { try decoder.decode(Bytes(bytes)) }
      }
      let task = Task {
        try? await sleepUntilCancelled()
        return try await decode(bytes)
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  /// Bits of deflate with fixed codes (RFC 1951 3.2.6).
  private struct DeflateBomb {
    private(set) var bytes: [UInt8] = []
    private var pending: UInt32 = 0
    private var count: UInt32 = 0

    init() {
      // The last block, with fixed codes; one literal 0, which is 00110000.
      append(0b011, 3)
      append(0b0000_1100, 8)
    }

    /// The 258 bytes from one byte back: the code 11000101, then distance 00000.
    mutating func appendRun() {
      append(0b1010_0011, 8)
      append(0, 5)
    }

    private mutating func append(_ bits: UInt32, _ size: UInt32) {
      pending |= bits << count
      count += size
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        count -= 8
      }
    }
  }
#endif
