import Foundation
import HTTPTypes
import StagecoachCore
import TestSupport
import Testing

@testable import StagecoachCache

@Suite struct CachedResponseCodingTests {
  private static func sample() throws -> CachedResponse {
    var head = HTTPResponse(status: .init(code: 203, reasonPhrase: "Schön"))
    head.headerFields.append(HTTPField(name: try #require(.init("X-Twice")), value: "1"))
    head.headerFields.append(HTTPField(name: .eTag, value: "\"a\""))
    head.headerFields.append(HTTPField(name: try #require(.init("x-tWICE")), value: ""))
    head.headerFields.append(
      HTTPField(name: try #require(.init("X-Octets")), lenientValue: [0x61, 0xFF, 0x09, 0x20])
    )
    return CachedResponse(
      head: head,
      vary: [.init(name: "accept", value: "text/html"), .init(name: "accept-language", value: nil)],
      requestTime: Date(timeIntervalSince1970: 1_790_000_000.123_456),
      responseTime: Date(timeIntervalSince1970: 1_790_000_001.5),
      part: .init(start: 7, total: .max),
      endOfUse: Date(timeIntervalSince1970: 1_790_000_061.5)
    )
  }

  @Test func encodedResponsesAreDecodedUnchanged() throws {
    let sample = try Self.sample()
    let read = try CachedResponse(decoding: sample.encoded)
    #expect(read == sample)
    #expect(read.head.status.reasonPhrase == sample.head.status.reasonPhrase)
    #expect(read.head.headerFields.map(\.name.rawName) == ["X-Twice", "ETag", "x-tWICE", "X-Octets"])
    let octets = read.head.headerFields[3].withUnsafeBytesOfValue(Array.init)
    #expect(octets == [0x61, 0xFF, 0x09, 0x20])
    var whole = sample
    whole.part = nil
    whole.endOfUse = nil
    whole.vary = []
    whole.head.headerFields = [:]
    #expect(try CachedResponse(decoding: whole.encoded) == whole)
  }

  @Test func theFirstVersionIsStillRead() throws {
    var sample = try Self.sample()
    sample.part = nil
    sample.endOfUse = nil
    var bytes = try sample.encoded.array
    // The byte after status, reason phrase, two times and the byte of the part.
    #expect(bytes.remove(at: 3 + 7 + 16 + 1) == 0)
    bytes[0] = 1
    #expect(try CachedResponse(decoding: Bytes(bytes)) == sample)
  }

  @Test func anyPrefixIsAnError() throws {
    let bytes = try Self.sample().encoded
    for count in 0..<bytes.count {
      #expect(throws: CacheCodingError.self) { try CachedResponse(decoding: bytes.prefix(count)) }
    }
    #expect(throws: CacheCodingError.invalid("end")) {
      try CachedResponse(decoding: Bytes(bytes.array + [0]))
    }
  }

  @Test func changedBytesAreAResponseOrAnError() throws {
    let bytes = try Self.sample().encoded.array
    var random = SplitMix(state: 1)
    for _ in 0..<20_000 {
      var changed = bytes
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let read = try? CachedResponse(decoding: Bytes(changed)) else { continue }
      #expect(try CachedResponse(decoding: read.encoded) == read)
    }
  }

  @Test(
    arguments: [
      // Another version, a status code of four digits, a length beyond the end and beyond 64 bits.
      ([9], CacheCodingError.unknownVersion(9)),
      ([1, 0xE8, 7, 0], .invalid("status code")),
      ([1, 0xC8, 1, 5, 0x61], .truncated),
      ([1, 0xC8, 1] + [UInt8](repeating: 0xFF, count: 10), .invalid("number")),
      ([1, 0xC8, 1, 1, 0xFF], .invalid("text")),
      ([1, 0xC8, 1, 0] + [UInt8](repeating: 0xFF, count: 8), .invalid("time")),
    ] as [([UInt8], CacheCodingError)]
  )
  func malformedBytesAreNamed(_ bytes: [UInt8], _ error: CacheCodingError) {
    #expect(throws: error) { try CachedResponse(decoding: Bytes(bytes)) }
  }

  @Test func limitsHoldBothWays() throws {
    var sample = try Self.sample()
    let name = try #require(HTTPField.Name("A"))
    for _ in 0..<CachedResponse.maxEncodedFields {
      sample.head.headerFields.append(HTTPField(name: name, value: ""))
    }
    #expect(throws: CacheCodingError.tooManyFields(4100)) { try sample.encoded }
    sample = try Self.sample()
    sample.head.headerFields[name] = String(repeating: "a", count: CachedResponse.maxEncodedSize)
    #expect(throws: CacheCodingError.self) { try sample.encoded }
    #expect(throws: CacheCodingError.tooLarge(1 << 21)) {
      try CachedResponse(decoding: Bytes([UInt8](repeating: 1, count: 1 << 21)))
    }
    // Ten million fields of no bytes: refused before anything is allocated.
    var bytes: [UInt8] = [1, 0xC8, 1, 0]
    bytes += [UInt8](repeating: 0, count: 17) + [0xFF, 0xFF, 0xFF, 0x04]
    #expect(throws: CacheCodingError.tooManyFields(10_485_759)) { try CachedResponse(decoding: Bytes(bytes)) }
    sample = try Self.sample()
    sample.requestTime = Date(timeIntervalSinceReferenceDate: .infinity)
    #expect(throws: CacheCodingError.invalid("time")) { try sample.encoded }
    sample = try Self.sample()
    sample.endOfUse = Date(timeIntervalSinceReferenceDate: .nan)
    #expect(throws: CacheCodingError.invalid("time")) { try sample.encoded }
    sample = try Self.sample()
    sample.part = .init(start: -1, total: 3)
    #expect(throws: CacheCodingError.invalid("part")) { try sample.encoded }
  }
}
