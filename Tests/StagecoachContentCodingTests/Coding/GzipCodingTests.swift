import Stagecoach
import StagecoachContentCoding
import Testing

@Suite(.timeLimit(.minutes(1))) struct GzipCodingTests {
  static let plain = Vectors.plain

  @Test(arguments: ["gzip", "GZip", "x-gzip", "X-GZIP"])
  func isDecodedUnderEachName(name: String) async throws {
    #expect(try await decode(Vectors.gzip, as: name) == Reading(bytes: Self.plain))
  }

  @Test(arguments: [Vectors.gzip, Vectors.gzipWithEveryHeaderPart, Vectors.gzip + Vectors.gzip])
  func everySplitGivesTheSame(coded: [UInt8]) async throws {
    let expected = try await decode(coded, as: "gzip")
    #expect(expected.failure == nil)
    #expect(expected.bytes.starts(with: Self.plain))
    for index in 1..<coded.count {
      let chunks = [Bytes(coded[..<index]), Bytes(coded[index...])]
      #expect(try await decode(chunks, as: "gzip") == expected, "split at \(index)")
    }
    #expect(try await decode(pieces(coded, of: 1), as: "gzip") == expected)
  }

  @Test func allMembersAreDecoded() async throws {
    let coded = Vectors.gzip + Vectors.gzipOfNothing + Vectors.gzipWithEveryHeaderPart
    for size in [1, 7, coded.count] {
      let reading = try await decode(pieces(coded, of: size), as: "gzip")
      #expect(reading == Reading(bytes: Self.plain + Self.plain))
    }
  }

  @Test func anEmptyBodyDecodesToNothing() async throws {
    #expect(try await decode([] as [Bytes], as: "gzip") == Reading())
    #expect(try await decode(Vectors.gzipOfNothing, as: "gzip") == Reading())
  }

  /// Wherever the body is cut, what was good before the cut is given.
  @Test func truncationIsAnErrorAfterTheGoodBytes() async throws {
    for count in 1..<Vectors.gzip.count {
      let cut = Array(Vectors.gzip[..<count])
      for size in [1, cut.count] {
        let reading = try await decode(pieces(cut, of: size), as: "gzip")
        #expect(reading.failure == .contentCoding(.truncated), "cut at \(count)")
        #expect(Self.plain.starts(with: reading.bytes))
      }
    }
    let withoutTrailer = try await decode(Array(Vectors.gzip.dropLast(8)), as: "gzip")
    #expect(withoutTrailer == Reading(bytes: Self.plain, failure: .contentCoding(.truncated)))
    let inSecond = try await decode(Vectors.gzip + Vectors.gzip.prefix(2), as: "gzip")
    #expect(inSecond == Reading(bytes: Self.plain, failure: .contentCoding(.truncated)))
  }

  /// The last eight bytes are the check value and the length.
  @Test(arguments: 1...8)
  func wrongCheckValuesAreErrorsAfterTheGoodBytes(fromEnd: Int) async throws {
    var coded = Vectors.gzip
    coded[coded.count - fromEnd] ^= 0x40
    for size in [1, coded.count] {
      let reading = try await decode(pieces(coded, of: size), as: "gzip")
      #expect(reading == Reading(bytes: Self.plain, failure: .contentCoding(.checksum)))
    }
  }

  @Test func brokenDataIsAnError() async throws {
    for index in 10..<Vectors.gzip.count {
      var coded = Vectors.gzip
      coded[index] = ~coded[index]
      let reading = try await decode(coded, as: "gzip")
      #expect(reading.failure != nil, "byte \(index)")
      #expect(reading == (try await decode(pieces(coded, of: 1), as: "gzip")), "byte \(index)")
    }
  }

  @Test(
    arguments: [[0xFF], [0x1F], [0x1F, 0x8C], [0x1F, 0], Array("garbage".utf8), [0, 0, 7]] as [[UInt8]]
  )
  func garbageAfterTheEndIsIgnored(garbage: [UInt8]) async throws {
    let coded = Vectors.gzip + garbage
    for size in [1, Vectors.gzip.count, coded.count] {
      let reading = try await decode(pieces(coded, of: size), as: "gzip")
      #expect(reading == Reading(bytes: Self.plain))
    }
  }

  @Test(arguments: [1, 512, 200_000])
  func zerosAfterTheEndAreIgnored(count: Int) async throws {
    let coded = Vectors.gzip + [UInt8](repeating: 0, count: count)
    #expect(try await decode(pieces(coded, of: 1000), as: "gzip") == Reading(bytes: Self.plain))
  }

  @Test(arguments: ["plain text", "{}", "\u{1F}", "\u{1F}\u{7F}", "\0"])
  func plainContentIsAnErrorOrPassesByChoice(text: String) async throws {
    let plain = Array(text.utf8)
    let refused: ExchangeError.CodingFailure = text == "\u{1F}" ? .truncated : .malformed
    #expect(try await decode(plain, as: "gzip") == Reading(failure: .contentCoding(refused)))
    guard refused == .malformed else { return }
    let lenient = ContentDecoding([GzipCoding(passesPlainContent: true)])
    for size in [1, plain.count] {
      #expect(
        try await decode(pieces(plain, of: size), as: "gzip", through: lenient) == Reading(bytes: plain)
      )
    }
    #expect(try await decode(Vectors.gzip, as: "gzip", through: lenient) == Reading(bytes: Self.plain))
  }

  @Test func largeContentComesThrough() async throws {
    let plain = noise(300_000) + [UInt8](repeating: 7, count: 300_000) + noise(1)
    let coded = try await gzip(plain)
    for size in [1000, 65_536, coded.count] {
      #expect(try await decode(pieces(coded, of: size), as: "gzip") == Reading(bytes: plain))
    }
  }
}
