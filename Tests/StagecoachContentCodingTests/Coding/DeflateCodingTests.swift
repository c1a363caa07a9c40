import Stagecoach
import StagecoachContentCoding
import Testing

@Suite(.timeLimit(.minutes(1))) struct DeflateCodingTests {
  static let plain = Vectors.plain

  @Test(arguments: [Vectors.zlib, Vectors.bare, stored(Vectors.plain)])
  func everySplitGivesTheSame(coded: [UInt8]) async throws {
    #expect(try await decode(coded, as: "Deflate") == Reading(bytes: Self.plain))
    for index in 1..<coded.count {
      let chunks = [Bytes(coded[..<index]), Bytes(coded[index...])]
      #expect(try await decode(chunks, as: "deflate") == Reading(bytes: Self.plain), "split at \(index)")
    }
    #expect(try await decode(pieces(coded, of: 1), as: "deflate") == Reading(bytes: Self.plain))
  }

  @Test(arguments: [[], Vectors.zlibOfNothing, Vectors.bareOfNothing, stored([])])
  func anEmptyBodyDecodesToNothing(coded: [UInt8]) async throws {
    #expect(try await decode(coded, as: "deflate") == Reading())
    #expect(try await decode(pieces(coded, of: 1), as: "deflate") == Reading())
  }

  @Test(arguments: [Vectors.zlib, Vectors.bare, stored(Vectors.plain)])
  func truncationIsAnErrorAfterTheGoodBytes(coded: [UInt8]) async throws {
    for count in 1..<coded.count {
      let reading = try await decode(Array(coded[..<count]), as: "deflate")
      #expect(reading.failure == .contentCoding(.truncated), "cut at \(count)")
      #expect(Self.plain.starts(with: reading.bytes))
    }
  }

  @Test(arguments: 1...4)
  func aWrongCheckValueIsAnErrorAfterTheGoodBytes(fromEnd: Int) async throws {
    var coded = Vectors.zlib
    coded[coded.count - fromEnd] ^= 0x40
    let reading = try await decode(coded, as: "deflate")
    #expect(reading == Reading(bytes: Self.plain, failure: .contentCoding(.checksum)))
  }

  @Test(arguments: [Vectors.zlib, Vectors.bare])
  func whatFollowsIsIgnored(coded: [UInt8]) async throws {
    #expect(try await decode(coded + [0, 0, 0], as: "deflate") == Reading(bytes: Self.plain))
    for garbage in [[1], [0x1F, 0x8B], coded] as [[UInt8]] {
      let reading = try await decode(coded + garbage, as: "deflate")
      #expect(reading == Reading(bytes: Self.plain))
    }
  }

  @Test(arguments: [Vectors.zlibWithDictionary, Vectors.gzip, Array("<html>".utf8), [0xFF, 0xFF]])
  func whatIsNotDeflateIsAnError(coded: [UInt8]) async throws {
    for size in [1, coded.count] {
      let reading = try await decode(pieces(coded, of: size), as: "deflate")
      #expect(reading.failure == .contentCoding(.malformed))
    }
  }
}
