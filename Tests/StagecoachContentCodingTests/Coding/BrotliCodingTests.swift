#if Brotli
  import HTTPTypes
  import Stagecoach
  import StagecoachContentCoding
  import Testing

  @Suite(.timeLimit(.minutes(1))) struct BrotliCodingTests {
    static let plain = Vectors.plain

    @Test(arguments: [Vectors.brotli, Vectors.brotliOfSmallWindow, Vectors.brotliOfNode])
    func everySplitGivesTheSame(coded: [UInt8]) async throws {
      #expect(try await decode(coded, as: "BR") == Reading(bytes: Self.plain))
      for index in 1..<coded.count {
        let chunks = [Bytes(coded[..<index]), Bytes(coded[index...])]
        #expect(try await decode(chunks, as: "br") == Reading(bytes: Self.plain), "split at \(index)")
      }
      #expect(try await decode(pieces(coded, of: 1), as: "br") == Reading(bytes: Self.plain))
    }

    @Test(arguments: [[], Vectors.brotliOfNothing, [0x06]])
    func anEmptyBodyDecodesToNothing(coded: [UInt8]) async throws {
      #expect(try await decode(coded, as: "br") == Reading())
      #expect(try await decode(pieces(coded, of: 1), as: "br") == Reading())
    }

    @Test func flushedDataIsGivenImmediately() async throws {
      let source = ScriptedSource(Vectors.brotliFlushed.map { Bytes($0) })
      let body = Response.Body(source: source)
      let response = try await respond(with: Response(.ok, fields: [.contentEncoding: "br"], body: body))
      var iterator = response.body.makeAsyncIterator()
      #expect(try await iterator.next() == "abc")
      #expect(source.pulls == 1)
      #expect(try await iterator.next() == "def")
      #expect(source.pulls == 2)
      #expect(try await iterator.next() == nil)
    }

    /// Wherever the body is cut, what was good before the cut is given.
    @Test(arguments: [Vectors.brotli, Vectors.brotliOfSmallWindow])
    func truncationIsAnErrorAfterTheGoodBytes(coded: [UInt8]) async throws {
      for count in 1..<coded.count {
        let cut = Array(coded[..<count])
        let reading = try await decode(cut, as: "br")
        #expect(reading.failure == .contentCoding(.truncated), "cut at \(count)")
        #expect(Self.plain.starts(with: reading.bytes))
        #expect(try await decode(pieces(cut, of: 1), as: "br") == reading)
      }
      let beforeTheEnd = try await decode(coded.dropLast(1), as: "br")
      #expect(beforeTheEnd.bytes.count > Self.plain.count / 2)
    }

    @Test(arguments: [[0], [0xFF], Array("garbage".utf8), Vectors.brotli] as [[UInt8]])
    func anythingAfterTheEndIsIgnored(garbage: [UInt8]) async throws {
      let coded = Vectors.brotli + garbage
      for size in [1, Vectors.brotli.count, coded.count] {
        let reading = try await decode(pieces(coded, of: size), as: "br")
        #expect(reading == Reading(bytes: Self.plain))
      }
    }

    /// Brotli has no check value: broken data may be other data, but it is so in any pieces.
    @Test func brokenDataComesToTheSameEndInAnyPieces() async throws {
      var refused = 0
      for index in Vectors.brotli.indices {
        for mask in [0x01, 0x10, 0xFF] as [UInt8] {
          var coded = Vectors.brotli
          coded[index] ^= mask
          let whole = try await decode(coded, as: "br")
          let cut = try await decode(pieces(coded, of: 1), as: "br")
          #expect(whole.failure == cut.failure, "byte \(index)")
          #expect(cut.bytes.starts(with: whole.bytes), "byte \(index)")
          if whole.failure == nil { #expect(whole == cut, "byte \(index)") } else { refused += 1 }
        }
      }
      #expect(refused > Vectors.brotli.count)
    }

    /// An error swallows no more than came with the last 4 KiB.
    @Test func goodBytesBeforeAnErrorAreGiven() async throws {
      let plain = noise(100_000)
      let coded = uncompressed(plain) + [0xFF]
      let reading = try await decode(coded, as: "br")
      #expect(reading.failure == .contentCoding(.malformed))
      #expect(plain.starts(with: reading.bytes))
      #expect(reading.bytes.count >= plain.count - 4096)
    }

    @Test(arguments: [1, 100])
    func largeWindowsAreRefused(size: Int) async throws {
      let reading = try await decode(pieces(Vectors.brotliOfLargeWindow, of: size), as: "br")
      #expect(reading == Reading(failure: .contentCoding(.malformed)))
    }

    @Test(arguments: [Vectors.gzip, Array("<html>".utf8), [0xFF, 0xFF, 0xFF]])
    func whatIsNotBrotliIsAnError(coded: [UInt8]) async throws {
      for size in [1, coded.count] {
        #expect(try await decode(pieces(coded, of: size), as: "br").failure != nil)
      }
    }

    @Test(arguments: [1, 100])
    func aBombEndsAfterTheFirstMebibyte(size: Int) async throws {
      let reading = try await decode(pieces(Vectors.brotliBomb, of: size), as: "br")
      #expect(reading.failure == .limit(.decodedBody))
      #expect(reading.bytes.count <= 1024 * 1024)
      #expect(reading.bytes.count > 1024 * 1024 - 65_536)
      let request = Request.get("http://h/").with(\.decodingRatioLimit, nil)
      let whole = try await decode(Vectors.brotliBomb, as: "br", of: request)
      #expect(whole.failure == nil)
      #expect(whole.bytes.count == 10 * 1024 * 1024)
      let limited = Request.get("http://h/").with(\.decodedBodyLimit, 1000)
      let small = try await decode(Vectors.brotliBomb, as: "br", of: limited)
      #expect(small.failure == .limit(.decodedBody))
      #expect(small.bytes.count <= 1000)
    }

    @Test func brotliIsDecodedInAChain() async throws {
      let twice = try await gzip(Vectors.brotli)
      #expect(try await decode(pieces(twice, of: 3), as: "br, gzip") == Reading(bytes: Self.plain))
    }
  }

  /// Blocks that are not compressed (RFC 7932 9.2), of 64 KiB at most, without the end of the stream.
  private func uncompressed(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    for (index, block) in pieces(bytes, of: 65_536).enumerated() {
      // ISLAST 0, MNIBBLES 0 for four, MLEN - 1, ISUNCOMPRESSED 1; before the first block WBITS, 0 for 16.
      let header = (block.count - 1) << 3 | 1 << 19
      if index == 0 {
        let bits = header << 1
        stream += [UInt8(bits & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits >> 16)]
      } else {
        stream += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)]
      }
      stream += block.array
    }
    return stream
  }
#endif
