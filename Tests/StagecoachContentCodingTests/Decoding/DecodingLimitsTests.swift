import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import Testing

@Suite(.timeLimit(.minutes(1))) struct DecodingLimitsTests {
  private static let mebibyte = 1024 * 1024
  private static let zeros = [UInt8](repeating: 0, count: 10 * mebibyte)

  private static func check<Key: RequestOptionKey>(
    _ key: Key.Type,
    _ path: WritableKeyPath<RequestOptions, Key.Value>,
    name: String,
    byDefault: Key.Value,
    other: Key.Value
  ) where Key.Value: Equatable {
    var options = RequestOptions()
    #expect(Key.name == name)
    #expect(options[keyPath: path] == byDefault)
    options[keyPath: path] = other
    #expect(options[key] == other)
  }

  @Test func haveTheirDocumentedDefaults() {
    Self.check(
      DecodedBodyLimit.self,
      \.decodedBodyLimit,
      name: "decodedBodyLimit",
      byDefault: 1_073_741_824,
      other: nil
    )
    Self.check(
      DecodingRatioLimit.self,
      \.decodingRatioLimit,
      name: "decodingRatioLimit",
      byDefault: 200,
      other: nil
    )
    Self.check(
      ContentCodingLimit.self,
      \.contentCodingLimit,
      name: "contentCodingLimit",
      byDefault: 3,
      other: 0
    )
    Self.check(
      RefusesUnknownCodings.self,
      \.refusesUnknownCodings,
      name: "refusesUnknownCodings",
      byDefault: false,
      other: true
    )
    Self.check(
      CompressionThreshold.self,
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
        Request.get("http://h/").with(DecodedBodyLimit.self, 1000),
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

  @Test func aBombOfManyMembersIsOne() async throws {
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

  @Test func theRatioCanBeRaised() async throws {
    let bomb = try await gzip(Self.zeros)
    for limit in [2000, Int.max, nil] as [Int?] {
      let request = Request.get("http://h/").with(DecodingRatioLimit.self, limit)
      let reading = try await decode(bomb, as: "gzip", of: request)
      #expect(reading.failure == nil)
      #expect(reading.bytes.count == Self.zeros.count)
    }
    for limit in [0, -1, Int.min] {
      let request = Request.get("http://h/").with(DecodingRatioLimit.self, limit)
      #expect(try await decode(bomb, as: "gzip", of: request).failure == .limit(.decodedBody))
    }
  }

  @Test func theSizeIsCountedToTheByte() async throws {
    let coded = try await gzip(noise(5000))
    for (limit, failure) in [(5000, nil), (4999, .limit(.decodedBody)), (0, .limit(.decodedBody))]
      as [(Int64, ExchangeError.Kind?)]
    {
      let request = Request.get("http://h/").with(DecodedBodyLimit.self, limit)
      let reading = try await decode(pieces(coded, of: 100), as: "gzip", of: request)
      #expect(reading.failure == failure)
      #expect(reading.bytes.count <= limit)
    }
    let unlimited = Request.get("http://h/").with(DecodedBodyLimit.self, nil)
    #expect(try await decode(coded, as: "gzip", of: unlimited).bytes.count == 5000)
  }

  @Test func smallContentMayShrinkAsMuchAsItLikes() async throws {
    let plain = [UInt8](repeating: 0, count: Self.mebibyte)
    let coded = try await gzip(plain)
    #expect(coded.count < plain.count / 900)
    #expect(try await decode(coded, as: "gzip") == Reading(bytes: plain))
  }
}
