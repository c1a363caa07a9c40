import HTTPTypes
import Stagecoach
import Testing

/// UTF-8, UTF-16 and UTF-32, with and without a byte order mark.
@Suite struct JSONEncodingsTests {
  private static let text = #"{"ä":"日🚂"}"#

  private static func encoded(_ text: String, unit: Int, bigEndian: Bool, mark: Bool) -> Bytes {
    let text = mark ? "\u{FEFF}" + text : text
    let units: [UInt32] =
      switch unit {
      case 1: text.utf8.map(UInt32.init)
      case 2: text.utf16.map(UInt32.init)
      default: text.unicodeScalars.map(\.value)
      }
    return Bytes(
      units.flatMap { value in
        let bytes = (0..<unit).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
        return bigEndian ? bytes.reversed() : bytes
      }
    )
  }

  @Test(arguments: [1, 2, 4], [true, false])
  func recognizesUTF8UTF16AndUTF32(unit: Int, bigEndian: Bool) async throws {
    for text in [Self.text, "7", "[]", "\"日\"", " 1"] {
      for mark in [true, false] {
        let body = Self.encoded(text, unit: unit, bigEndian: bigEndian, mark: mark)
        let response = Response(.ok, body: .bytes(body))
        #expect(try await JSONValueResponseSerializer().serialize(response) == JSONValue(parsing: text))
        #expect(
          try await JSONResponseSerializer(JSONValue.self).serialize(response) == JSONValue(parsing: text)
        )
        let strict = JSONValueResponseSerializer(encodings: .utf8)
        let strictlyTyped = JSONResponseSerializer(JSONValue.self, encodings: .utf8)
        if unit == 1 {
          #expect(try await strict.serialize(response) == JSONValue(parsing: text))
          #expect(try await strictlyTyped.serialize(response) == JSONValue(parsing: text))
        } else {
          for refused in [
            await #expect(
              throws: ExchangeError.self,
              performing: { _ = try await strict.serialize(response) }
            ),
            await #expect(
              throws: ExchangeError.self,
              performing: { _ = try await strictlyTyped.serialize(response) }
            ),
          ] {
            let error = try #require(refused)
            #expect(error.kind == .serialization)
            #expect(error.message.contains("encoded in UTF-\(unit * 8)"))
            #expect(error.bodyPrefix == body)
          }
        }
      }
    }
  }

  @Test(
    arguments: [[0x22, 0x00, 0x00, 0xD8, 0x22, 0x00], [0x22, 0x00, 0x22], [0x00, 0x22, 0xDC, 0x00]]
      as [[UInt8]]
  )
  func illFormedTextIsRefused(bytes: [UInt8]) async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await JSONResponseSerializer(String.self).serialize(Response(.ok, body: .bytes(Bytes(bytes))))
    }
    #expect(error.underlying is CharsetError)
    #expect(error.message.hasPrefix("the body is not valid text: "))
  }

  @Test func nullsAreRemovedBeforeTheDecoderSeesThem() async throws {
    struct Team: Decodable, Sendable, Equatable {
      var names: [String]
      var size = 3
      enum CodingKeys: String, CodingKey { case names, size }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        names = try container.decode([String].self, forKey: .names)
        if container.contains(.size) { size = try container.decode(Int.self, forKey: .size) }
      }
    }
    let response = Response(.ok, body: .bytes(#"{"names":["a",null,"b"],"size":null}"#))
    let team = try await JSONResponseSerializer(Team.self, removingNulls: true).serialize(response)
    #expect(team.names == ["a", "b"])
    #expect(team.size == 3)
    await #expect(throws: ExchangeError.self) {
      _ = try await JSONResponseSerializer(Team.self).serialize(response)
    }
    let numbers = Response(.ok, body: .bytes("[null,12345678901234567890,1e2,null]"))
    #expect(
      try await JSONResponseSerializer([UInt64].self, removingNulls: true).serialize(numbers)
        == [12_345_678_901_234_567_890, 100]
    )
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await JSONResponseSerializer([Int].self, removingNulls: true).serialize(
        Response(.ok, body: .bytes("[1,]"))
      )
    }
    #expect(error.underlying is JSONSyntaxError)
  }
}
