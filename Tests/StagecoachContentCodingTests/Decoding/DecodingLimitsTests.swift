import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachContentCoding

@Suite(.timeLimit(.minutes(1))) struct DecodingLimitsTests {
  private static let mebibyte = 1024 * 1024
  private static let zeros = [UInt8](repeating: 0, count: 10 * mebibyte)

  private static func check<Value: Equatable & Sendable>(
    _ option: RequestOption<Value>,
    _ path: WritableKeyPath<RequestOptions, Value>,
    name: String,
    byDefault: Value,
    other: Value
  ) {
    var options = RequestOptions()
    #expect(option.name == name)
    #expect(options[keyPath: path] == byDefault)
    options[keyPath: path] = other
    #expect(options[option] == other)
  }

  @Test func haveTheirDocumentedDefaults() {
    Self.check(
      RequestOptions.decodedBodyLimit,
      \.decodedBodyLimit,
      name: "decodedBodyLimit",
      byDefault: 1_073_741_824,
      other: nil
    )
    Self.check(
      RequestOptions.decodingRatioLimit,
      \.decodingRatioLimit,
      name: "decodingRatioLimit",
      byDefault: 200,
      other: nil
    )
    Self.check(
      RequestOptions.contentCodingLimit,
      \.contentCodingLimit,
      name: "contentCodingLimit",
      byDefault: 3,
      other: 0
    )
    Self.check(
      RequestOptions.refusesUnknownCodings,
      \.refusesUnknownCodings,
      name: "refusesUnknownCodings",
      byDefault: false,
      other: true
    )
    Self.check(
      RequestOptions.compressionThreshold,
      \.compressionThreshold,
      name: "compressionThreshold",
      byDefault: 1024,
      other: nil
    )
  }

  @Test(arguments: [1, 100, 100_000])
  func aBombEndsAfterTheFirstMebibyte(size: Int) async throws {
    let bomb = try await gzip(Self.zeros)
    #expect(bomb.count < 12_000)
    let reading = try await decode(pieces(bomb, of: size), as: "gzip")
    #expect(reading.failure == .limit(.decodedBody))
    #expect(reading.bytes.count <= Self.mebibyte)
    #expect(reading.bytes.count > Self.mebibyte - 65_536)
  }

  @Test func theErrorNamesTheLimit() async throws {
    let bomb = Bytes(try await gzip(Self.zeros))
    for (request, limit) in [
      (Request.get("http://h/"), ExchangeError.Limit(option: "decodingRatioLimit", value: "200 to 1")),
      (
        Request.get("http://h/").with(\.decodedBodyLimit, 1000),
        ExchangeError.Limit(option: "decodedBodyLimit", value: "1000 bytes")
      ),
    ] {
      let response = try await respond(with: coded("gzip", [bomb]), to: request)
      let error = try await #require(throws: ExchangeError.self) {
        try await response.body.collect(upTo: .max)
      }
      #expect(error.limit == limit)
      #expect(error.kind.description == "limit.decodedBody")
    }
  }

  @Test func aBombOfManyMembersIsStopped() async throws {
    let member = try await gzip([UInt8](repeating: 0, count: 100_000))
    let reading = try await decode((0..<100).flatMap { _ in member }, as: "gzip")
    #expect(reading.failure == .limit(.decodedBody))
    #expect(reading.bytes.count <= Self.mebibyte)
  }

  /// Each layer alone multiplies by less than the limit would stop at the first MiB.
  @Test func aBombInABombIsStoppedByTheInnerLayer() async throws {
    let nested = try await gzip(try await gzip(Self.zeros))
    #expect(nested.count < 1000)
    let reading = try await decode(nested, as: "gzip, gzip")
    #expect(reading.failure == .limit(.decodedBody))
    #expect(reading.bytes.count <= Self.mebibyte)
  }

  /// What coded bytes stand for nothing, in each coding.
  private static let barren: [(coding: String, start: [UInt8], again: [UInt8])] = {
    let member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    var all: [(String, [UInt8], [UInt8])] = [
      ("gzip", [], member),
      // A name of the file without end.
      ("gzip", [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 0], [0x61]),
      ("gzip", member, [0]),
      // Empty stored blocks, bare and in the zlib format.
      ("deflate", [], [0, 0, 0, 0xFF, 0xFF]), ("deflate", [0x78, 0x9C], [0, 0, 0, 0xFF, 0xFF]),
    ]
    #if Brotli
      // An empty block of metadata (RFC 7932 9.2), behind the size of the window.
      all.append(("br", [0x0C], [0x06]))
    #endif
    #if Zstandard
      all.append(("zstd", [], [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0, 1, 0, 0]))
      all.append(("zstd", [], [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]))
      // Empty raw blocks of one frame.
      all.append(("zstd", [0x28, 0xB5, 0x2F, 0xFD, 0, 0x38], [0, 0, 0]))
    #endif
    return all
  }()

  /// Coded bytes that give nothing end with an error, however many follow; by themselves, behind content, and in
  /// another coding.
  @Test(arguments: barren.indices)
  func codedBytesThatGiveNothingEnd(index: Int) async throws {
    let (coding, start, again) = Self.barren[index]
    let chunk = Bytes((0..<65_536 / again.count).flatMap { _ in again })
    let source = EndlessSource(Bytes(start), chunk)
    let response = try await respond(
      with: Response(.ok, fields: [.contentEncoding: coding], body: Response.Body(source: source))
    )
    let error = try await #require(throws: ExchangeError.self) {
      try await response.body.collect(upTo: .max)
    }
    #expect(error.kind == .limit(.decodedBody))
    #expect(error.limit == ExchangeError.Limit(option: "decodingRatioLimit", value: "1 to 200"))
    #expect(source.pulls < 64)
  }

  @Test func codedBytesThatGiveNothingEndBehindContentToo() async throws {
    let member = try await gzip(noise(100_000))
    let source = EndlessSource(Bytes(member), Bytes([UInt8](repeating: 0, count: 65_536)))
    let response = try await respond(
      with: Response(.ok, fields: [.contentEncoding: "gzip"], body: Response.Body(source: source))
    )
    let error = try await #require(throws: ExchangeError.self) {
      try await response.body.collect(upTo: .max)
    }
    #expect(error.kind == .limit(.decodedBody))
    #expect(source.pulls < 64)
  }

  /// A member for each byte takes some 20 coded bytes for it, for as long as it likes.
  @Test func manySmallMembersAreRead() async throws {
    let member = try await gzip([0x61])
    let count = 4 * Self.mebibyte / member.count
    let reading = try await decode((0..<count).flatMap { _ in member }, as: "gzip")
    #expect(reading == Reading(bytes: [UInt8](repeating: 0x61, count: count)))
  }

  @Test func theRatioCanBeRaised() async throws {
    let bomb = try await gzip(Self.zeros)
    for limit in [2000, Int.max, nil] as [Int?] {
      let request = Request.get("http://h/").with(\.decodingRatioLimit, limit)
      let reading = try await decode(bomb, as: "gzip", of: request)
      #expect(reading.failure == nil)
      #expect(reading.bytes.count == Self.zeros.count)
    }
    for limit in [0, -1, Int.min] {
      let request = Request.get("http://h/").with(\.decodingRatioLimit, limit)
      #expect(try await decode(bomb, as: "gzip", of: request).failure == .limit(.decodedBody))
    }
  }

  @Test func theSizeIsCountedToTheByte() async throws {
    let coded = try await gzip(noise(5000))
    for (limit, failure) in [(5000, nil), (4999, .limit(.decodedBody)), (0, .limit(.decodedBody))]
      as [(Int64, ExchangeError.Kind?)]
    {
      let request = Request.get("http://h/").with(\.decodedBodyLimit, limit)
      let reading = try await decode(pieces(coded, of: 100), as: "gzip", of: request)
      #expect(reading.failure == failure)
      #expect(reading.bytes.count <= limit)
    }
    let unlimited = Request.get("http://h/").with(\.decodedBodyLimit, nil)
    #expect(try await decode(coded, as: "gzip", of: unlimited).bytes.count == 5000)
  }

  @Test func smallContentMayShrinkAsMuchAsItLikes() async throws {
    let plain = [UInt8](repeating: 0, count: Self.mebibyte)
    let coded = try await gzip(plain)
    #expect(coded.count < plain.count / 900)
    #expect(try await decode(coded, as: "gzip") == Reading(bytes: plain))
  }
}
