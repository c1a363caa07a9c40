#if Zstandard
  import HTTPTypes
  import Stagecoach
  import StagecoachContentCoding
  import Testing

  @Suite(.timeLimit(.minutes(1))) struct ZstandardCodingTests {
    static let plain = Vectors.plain
    static let skippable: [UInt8] = [0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 7, 8, 9]

    @Test(arguments: [Vectors.zstd, Vectors.zstdWithoutCheck, Vectors.zstdOfStream, skippable + Vectors.zstd])
    func everySplitGivesTheSame(coded: [UInt8]) async throws {
      #expect(try await decode(coded, as: "ZStd") == Reading(bytes: Self.plain))
      for index in 1..<coded.count {
        let chunks = [Bytes(coded[..<index]), Bytes(coded[index...])]
        #expect(try await decode(chunks, as: "zstd") == Reading(bytes: Self.plain), "split at \(index)")
      }
      #expect(try await decode(pieces(coded, of: 1), as: "zstd") == Reading(bytes: Self.plain))
    }

    @Test func allFramesAreDecoded() async throws {
      let coded =
        Vectors.zstd + Vectors.zstdOfNothing + Self.skippable + Vectors.zstdOfStream + Self.skippable
      for size in [1, 7, Vectors.zstd.count, coded.count] {
        let reading = try await decode(pieces(coded, of: size), as: "zstd")
        #expect(reading == Reading(bytes: Self.plain + Self.plain))
      }
    }

    @Test(arguments: [0x50, 0x5F] as [UInt8])
    func skippableFramesOfAnySizeAreSkipped(first: UInt8) async throws {
      for count in [0, 1, 100_000] {
        let size = UInt32(count)
        let frame = [first, 0x2A, 0x4D, 0x18] + littleEndian(size) + [UInt8](repeating: 0xAA, count: count)
        let reading = try await decode(pieces(frame + Vectors.zstd, of: 1000), as: "zstd")
        #expect(reading == Reading(bytes: Self.plain), "\(count) bytes")
        guard count > 0 else { continue }
        #expect(try await decode(frame.dropLast(), as: "zstd").failure == .contentCoding(.truncated))
      }
    }

    @Test(arguments: [[], Vectors.zstdOfNothing, skippable])
    func anEmptyBodyDecodesToNothing(coded: [UInt8]) async throws {
      #expect(try await decode(coded, as: "zstd") == Reading())
      #expect(try await decode(pieces(coded, of: 1), as: "zstd") == Reading())
    }

    /// A stored block is complete where it ends.
    @Test func blocksAreGivenImmediately() async throws {
      let source = ScriptedSource([
        Bytes(frame(windowLog: 10)), Bytes(stored(Array("abc".utf8), isLast: false)),
        Bytes(stored(Array("def".utf8), isLast: true)),
      ])
      let body = Response.Body(source: source)
      let response = try await respond(with: Response(.ok, fields: [.contentEncoding: "zstd"], body: body))
      var iterator = response.body.makeAsyncIterator()
      #expect(try await iterator.next() == "abc")
      #expect(source.pulls == 2)
      var rest: [UInt8] = []
      while let chunk = try await iterator.next() { rest += chunk.array }
      #expect(rest == Array("def".utf8))
    }

    /// Wherever the body is cut, what was good before the cut is given.
    @Test(arguments: [Vectors.zstd, Vectors.zstdOfStream])
    func truncationIsAnErrorAfterTheGoodBytes(coded: [UInt8]) async throws {
      for count in 1..<coded.count {
        let cut = Array(coded[..<count])
        let reading = try await decode(cut, as: "zstd")
        #expect(reading.failure == .contentCoding(.truncated), "cut at \(count)")
        #expect(Self.plain.starts(with: reading.bytes))
        #expect(try await decode(pieces(cut, of: 1), as: "zstd") == reading)
        // A single octet is not a frame.
        guard count > 1 else { continue }
        let second = try await decode(coded + cut, as: "zstd")
        #expect(second.failure == .contentCoding(.truncated), "cut at \(count)")
        #expect(second.bytes == Self.plain + reading.bytes)
      }
      let withoutCheck = try await decode(coded.dropLast(4), as: "zstd")
      #expect(withoutCheck == Reading(bytes: Self.plain, failure: .contentCoding(.truncated)))
    }

    @Test(arguments: 1...4)
    func aWrongCheckValueIsAnErrorAfterTheGoodBytes(fromEnd: Int) async throws {
      var coded = Vectors.zstd
      coded[coded.count - fromEnd] ^= 0x40
      for size in [1, coded.count] {
        let reading = try await decode(pieces(coded, of: size), as: "zstd")
        #expect(reading == Reading(bytes: Self.plain, failure: .contentCoding(.checksum)))
      }
    }

    @Test func brokenDataIsTheSameErrorInAnyPieces() async throws {
      for original in [Vectors.zstd, Vectors.zstdOfStream] {
        for index in original.indices {
          for mask in [0x01, 0x10, 0xFF] as [UInt8] {
            var coded = original
            coded[index] ^= mask
            let reading = try await decode(coded, as: "zstd")
            // What does not matter to the content is passed over; the check value sees to the rest.
            #expect(reading.failure != nil || reading.bytes == Self.plain, "byte \(index)")
            for size in [1, 5] {
              #expect(try await decode(pieces(coded, of: size), as: "zstd") == reading, "byte \(index)")
            }
          }
        }
      }
    }

    @Test(arguments: [[0], [0xFF], [0x28], [0x28, 0xB5, 0x2F, 0xFC], [0x50, 0], Vectors.gzip] as [[UInt8]])
    func garbageAfterTheEndIsIgnored(garbage: [UInt8]) async throws {
      let coded = Vectors.zstd + garbage
      for size in [1, Vectors.zstd.count, coded.count] {
        let reading = try await decode(pieces(coded, of: size), as: "zstd")
        #expect(reading == Reading(bytes: Self.plain))
      }
    }

    /// The second one is of version 0.7, which the library knows.
    @Test(arguments: [Array("<html>".utf8), [0x27, 0xB5, 0x2F, 0xFD, 0, 0, 0, 0], Vectors.gzip, [0]])
    func whatIsNotZstandardIsAnError(coded: [UInt8]) async throws {
      for size in [1, coded.count] {
        let reading = try await decode(pieces(coded, of: size), as: "zstd")
        #expect(reading == Reading(failure: .contentCoding(.malformed)))
      }
    }

    /// RFC 9659 3: 8 MiB, whether it is the window or the size of a single segment that says so.
    @Test func windowsOfMoreThan8MebibytesAreRefused() async throws {
      let block = stored(Array("abc".utf8), isLast: true)
      #expect(try await decode(frame(windowLog: 23) + block, as: "zstd") == Reading(bytes: Array("abc".utf8)))
      for header in [frame(windowLog: 23, eighths: 1), frame(windowLog: 24), frame(windowLog: 41)] {
        let response = try await respond(with: coded("zstd", [Bytes(header + block)]))
        let error = try await #require(throws: ExchangeError.self) {
          try await response.body.collect(upTo: 9)
        }
        #expect(error.kind == .contentCoding(.malformed))
        #expect(error.message.contains("8 MiB"))
      }
      let request = Request.get("http://h/").with(\.decodingRatioLimit, nil)
      let segment: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xA0]
      let full = segment + littleEndian(8 << 20) + (1...64).flatMap { repeated(7, isLast: $0 == 64) }
      let reading = try await decode(full, as: "zstd", of: request)
      #expect(reading.failure == nil)
      #expect(reading.bytes.count == 8 << 20)
      let beyond = try await decode(segment + littleEndian(8 << 20 + 1), as: "zstd")
      #expect(beyond == Reading(failure: .contentCoding(.malformed)))
    }

    @Test func dictionariesAreRefused() async throws {
      let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x21, 9, 3] + stored([1, 2, 3], isLast: true)
      for size in [1, frame.count] {
        let reading = try await decode(pieces(frame, of: size), as: "zstd")
        #expect(reading == Reading(failure: .contentCoding(.malformed)))
      }
    }

    /// However it is cut, the last byte alone goes with the error.
    @Test func aWrongSizeIsAnErrorAfterTheGoodBytes() async throws {
      let frame = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 9] + stored(Array("abcdef".utf8), isLast: true)
      for size in [1, 3, 7, frame.count] {
        let reading = try await decode(pieces(frame, of: size), as: "zstd")
        #expect(reading == Reading(bytes: Array("abcde".utf8), failure: .contentCoding(.malformed)))
      }
    }

    @Test(arguments: [1, 1000])
    func aBombEndsAfterTheFirstMebibyte(size: Int) async throws {
      let bomb = frame(windowLog: 20) + (1...80).flatMap { repeated(0, isLast: $0 == 80) }
      let reading = try await decode(pieces(bomb, of: size), as: "zstd")
      #expect(reading.failure == .limit(.decodedBody))
      #expect(reading.bytes.count <= 1024 * 1024)
      #expect(reading.bytes.count > 1024 * 1024 - 65_536)
      let limited = Request.get("http://h/").with(\.decodedBodyLimit, 1000)
      let small = try await decode(bomb, as: "zstd", of: limited)
      #expect(small.failure == .limit(.decodedBody))
      #expect(small.bytes.count <= 1000)
      let request = Request.get("http://h/").with(\.decodingRatioLimit, nil)
      let whole = try await decode(bomb, as: "zstd", of: request)
      #expect(whole == Reading(bytes: [UInt8](repeating: 0, count: 80 * 131_072)))
    }

    @Test func zstandardIsDecodedInAChain() async throws {
      let twice = try await gzip(Vectors.zstd)
      #expect(try await decode(pieces(twice, of: 3), as: "zstd, gzip") == Reading(bytes: Self.plain))
    }
  }

  // MARK: Frames made by hand (RFC 8878 3.1.1)

  /// The header of a frame with a window, and neither size nor check value.
  private func frame(windowLog: UInt8, eighths: UInt8 = 0) -> [UInt8] {
    [0x28, 0xB5, 0x2F, 0xFD, 0, (windowLog - 10) << 3 | eighths]
  }

  private func stored(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    littleEndian(UInt32(bytes.count) << 3 | (isLast ? 1 : 0)).dropLast() + bytes
  }

  /// A block of 128 KiB, the most there may be, of one byte.
  private func repeated(_ byte: UInt8, isLast: Bool) -> [UInt8] {
    littleEndian(131_072 << 3 | 1 << 1 | (isLast ? 1 : 0)).dropLast() + [byte]
  }

  private func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
#endif
