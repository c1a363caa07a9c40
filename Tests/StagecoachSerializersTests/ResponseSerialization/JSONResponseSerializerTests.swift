import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct JSONResponseSerializerTests {
  private struct User: Codable, Sendable, Equatable {
    struct Address: Codable, Sendable, Equatable {
      var streets: [Int]
    }
    var name: String
    var address: Address?
  }

  private static func json(_ body: Bytes, status: HTTPResponse.Status = .ok) -> Response {
    Response(status, fields: [.contentType: "application/json"], body: .bytes(body))
  }

  private static func decode<Value: Decodable & Sendable>(_ body: Bytes, as type: Value.Type) async throws
    -> Value
  {
    try await JSONResponseSerializer(type).serialize(json(body))
  }

  @Test func decodesWhatItIsAsked() async throws {
    #expect(try await Self.decode(#"{"name":"a"}"#, as: User.self) == User(name: "a"))
    #expect(try await Self.decode("[1,2]", as: [Int].self) == [1, 2])
    #expect(try await Self.decode(" 7\n", as: Int.self) == 7)
    #expect(try await Self.decode("null", as: Int?.self) == nil)
    #expect(try await Self.decode("\u{feff}7", as: Int.self) == 7)
  }

  @Test(arguments: ["", " "])
  func anEmptyBodyIsNilWhereNilIsAllowed(body: String) async throws {
    #expect(try await Self.decode(Bytes(body), as: User?.self) == nil)
    for status in [HTTPResponse.Status.ok, .noContent] {
      let error = try await #require(throws: ExchangeError.self) {
        _ = try await JSONResponseSerializer(User.self).serialize(Self.json(Bytes(body), status: status))
      }
      #expect(error.kind == .serialization)
      #expect(error.message == "the body is empty (expected JSON)")
      #expect(error.advice?.contains("optional") == true)
      #expect(error.advice?.contains("204") == (status == .noContent))
    }
  }

  /// Foundation's decoder reads a comma too many; the untyped value does not.
  @Test func aTrailingCommaIsForTheDecoderToJudge() async throws {
    #expect(try await Self.decode("[1,]", as: [Int].self) == [1])
    #expect(try await Self.decode(#"{"name":"a",}"#, as: User.self) == User(name: "a"))
    await #expect(throws: ExchangeError.self) {
      _ = try await JSONValueResponseSerializer().serialize(Self.json("[1,]"))
    }
    await #expect(throws: ExchangeError.self) {
      let strict = JSONResponseSerializer([Int].self, removingNulls: true)
      _ = try await strict.serialize(Self.json("[1,]"))
    }
  }

  @Test(arguments: ["  ", "\n", "\t", "  \n"])
  func moreSpaceIsNotNothing(body: String) async throws {
    await #expect(throws: ExchangeError.self) { _ = try await Self.decode(Bytes(body), as: User?.self) }
  }

  @Test(arguments: [
    (#"{"address":null}"#, "at $, no member \"name\""), (#"{"name":7}"#, "at $.name, not a String"),
    (#"{"name":null}"#, "at $.name, null instead of a String"),
    (#"{"name":"a","address":{"streets":[1,"x"]}}"#, "at $.address.streets[1], not a Int"),
    (#"{"name":"a","address":{}}"#, "at $.address, no member \"streets\""), ("[]", "at $, not a"),
  ])
  func anErrorSaysWhere(body: String, place: String) async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.decode(Bytes(body), as: User.self)
    }
    #expect(error.kind == .serialization)
    #expect(error.message.hasPrefix("the body cannot be decoded as User: \(place)"), "\(error.message)")
    #expect(!error.message.utf8.contains(10))
    #expect(error.underlying is DecodingError)
    #expect(error.bodyPrefix == Bytes(body))
  }

  @Test func aKeyCannotForgeALine() async throws {
    struct Picky: Decodable, Sendable {
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: Key(stringValue: "a\nb"))
      }
    }
    for body in [#"{}"#, #"{"a\nb":"x"}"#] {
      let error = try await #require(throws: ExchangeError.self) {
        _ = try await Self.decode(Bytes(body), as: Picky.self)
      }
      #expect(!error.message.utf8.contains(10))
      #expect(error.message.contains("a b"))
    }
  }

  @Test func theDecoderIsTheCallers() async throws {
    struct Dated: Decodable, Sendable {
      var createdAt: Date
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .secondsSince1970
    let serializer = JSONResponseSerializer(
      Dated.self,
      accepting: Acceptance(mediaTypes: ranges(["a/b"])),
      decoder: decoder
    )
    #expect(serializer.accepts.acceptField == "a/b")
    let value = try await serializer.serialize(Self.json(#"{"created_at":60}"#))
    #expect(value.createdAt == Date(timeIntervalSince1970: 60))
  }

  /// Foundation reports these as corrupted data, without a position.
  @Test(arguments: [
    ("[1,\n 2,\n x]", 3, 2), ("[1,\n", 2, 1), ("{\"a\":\u{7}1}", 1, 6), ("[1] 2", 1, 5), ("{'a':1}", 1, 2),
  ])
  func malformedTextHasLineAndColumn(body: String, line: Int, column: Int) async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.decode(Bytes(body), as: Skipped.self)
    }
    #expect(error.kind == .serialization)
    let syntax = try #require(error.underlying as? JSONSyntaxError)
    #expect(syntax.line == line && syntax.column == column)
    #expect(error.message.contains("line \(line), column \(column)"), "\(error.message)")
    let untyped = try await #require(throws: ExchangeError.self) {
      _ = try await JSONValueResponseSerializer().serialize(Self.json(Bytes(body)))
    }
    #expect(untyped.message == error.message)
  }

  /// The text is well-formed to the decoder, so its syntax is not what is wrong.
  @Test func corruptedDataOfJSON5IsNotASyntaxError() async throws {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    decoder.dateDecodingStrategy = .iso8601
    let member = try await #require(throws: ExchangeError.self) {
      let serializer = JSONResponseSerializer([String: Date].self, decoder: decoder)
      _ = try await serializer.serialize(Self.json(#"{/*c*/ "d": "x"}"#))
    }
    #expect(member.underlying is DecodingError, "\(member.message)")
    let whole = try await #require(throws: ExchangeError.self) {
      _ = try await JSONResponseSerializer(Date.self, decoder: decoder).serialize(Self.json(#"/*c*/ "x""#))
    }
    #expect(whole.underlying is DecodingError, "\(whole.message)")
  }

  @Test func anyMediaTypeIsReadIfAsked() async throws {
    let client = try Client(
      over: HandlerTransport { _ in Response(.ok, fields: [.contentType: "text/html"], body: .bytes("[1]")) }
    )
    await #expect(throws: ExchangeError.self) { try await client.get("http://h/", as: .json([Int].self)) }
    #expect(try await client.get("http://h/", as: .json([Int].self, accepting: .jsonOfAnyType)) == [1])
    let accept = Acceptance.jsonOfAnyType.acceptField
    #expect(accept.hasPrefix("application/json, ") && accept.hasSuffix(", */*;q=0.1"))
  }

  @Test func foreignErrorsOfTheModelPass() async throws {
    struct Own: Decodable, Sendable {
      init(from decoder: any Decoder) throws { throw Foreign() }
    }
    await #expect(throws: Foreign()) { _ = try await Self.decode("1", as: Own.self) }
  }

  @Test func theLimitsAreTheCallers() async throws {
    let narrow = JSONValue.Limits(depth: 2, numberLength: 4)
    let fits = Self.json("[[1234],[]]")
    #expect(try await JSONResponseSerializer([[Int]].self, limits: narrow).serialize(fits) == [[1234], []])
    for (body, text) in [("[[[1]]]", "2 levels"), ("[[12345]]", "4 characters")] as [(Bytes, String)] {
      for removesNulls in [false, true] {
        let error = try await #require(throws: ExchangeError.self) {
          _ = try await JSONResponseSerializer(Skipped.self, removingNulls: removesNulls, limits: narrow)
            .serialize(Self.json(body))
        }
        #expect(error.kind == .limit(.structure))
        #expect(error.message.contains(text), "\(error.message)")
        #expect(error.underlying is JSONSyntaxError)
        #expect(error.bodyPrefix == body)
      }
    }
    let client = try Client(over: HandlerTransport { _ in Self.json("[[[1]]]") })
    let error = await #expect(throws: ExchangeError.self) {
      try await client.get("http://h/", as: .json(Skipped.self, limits: narrow))
    }
    #expect(error?.kind == .limit(.structure))
    #expect(try await client.get("http://h/", as: .json([[[Int]]].self)) == [[[1]]])
  }

  private struct Skipped: Decodable, Sendable {
    init(from decoder: any Decoder) throws {}
  }

  @Test func theDecoderItselfHasALimitOfDepth() async throws {
    for depth in [513, 100_000] {
      let body = Bytes(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
      let error = await #expect(throws: ExchangeError.self) {
        _ = try await Self.decode(body, as: Skipped.self)
      }
      #expect(error?.kind == .serialization)
    }
  }

  @Test func theBodyLimitLimitsTheSize() async throws {
    let client = try Client(over: HandlerTransport { _ in Self.json("[1,2,3]") })
    for (limit, kind) in [(7, nil), (6, .limit(.body))] as [(Int, ExchangeError.Kind?)] {
      let request = Request.get("http://h/").with(\.bodyLimit, limit)
      for attempt in [
        { _ = try await client.value(for: request, as: .json([Int].self)) },
        { _ = try await client.value(for: request, as: .jsonValue) },
      ] {
        var seen: ExchangeError.Kind?
        do { try await attempt() } catch { seen = (error as? ExchangeError)?.kind }
        #expect(seen == kind)
      }
    }
  }

  @Test func chunksOfAnySizeDecode() async throws {
    let text = #"{"name":"ä日本","address":{"streets":[1,2,3]}}"#
    for size in [1, 2, 3, 7, 100] {
      let bytes = Array(text.utf8)
      let list = stride(from: 0, to: bytes.count, by: size).map {
        Bytes(bytes[$0..<min($0 + size, bytes.count)])
      }
      let response = Response(.ok, body: Response.Body(chunks(list)))
      let user = try await JSONResponseSerializer(User.self).serialize(response)
      #expect(user == User(name: "ä日本", address: .init(streets: [1, 2, 3])))
    }
  }
}

@Suite struct JSONValueResponseSerializerTests {
  private static func read(_ body: Bytes, removingNulls: Bool = false) async throws -> JSONValue {
    try await JSONValueResponseSerializer(removingNulls: removingNulls).serialize(
      Response(.ok, body: .bytes(body))
    )
  }

  @Test func keepsOrderDuplicatesAndDigits() async throws {
    let text = #"{"b":1.000,"a":null,"b":[12345678901234567890]}"#
    #expect(try await Self.read(Bytes(text)).description == text)
  }

  @Test func theLimitsAreTheCallers() async throws {
    let serializer = JSONValueResponseSerializer(limits: JSONValue.Limits(depth: 600, numberLength: 2))
    for (depth, number, kind) in [
      (600, "12", nil), (601, "12", .limit(.structure)), (600, "123", .limit(.structure)),
      (600, "01", .serialization),
    ] as [(Int, String, ExchangeError.Kind?)] {
      let body = String(repeating: "[", count: depth) + number + String(repeating: "]", count: depth)
      var seen: ExchangeError.Kind?
      do {
        _ = try await serializer.serialize(Response(.ok, body: .bytes(Bytes(body))))
      } catch {
        seen = (error as? ExchangeError)?.kind
      }
      #expect(seen == kind)
    }
    let transport = HandlerTransport { _ in
      Response(.ok, fields: [.contentType: "application/json"], body: .bytes("[[null],1]"))
    }
    let client = try Client(over: transport)
    let value = try await client.get(
      "http://h/",
      as: JSONValueResponseSerializer(
        encodings: .utf8,
        removingNulls: true,
        limits: JSONValue.Limits(depth: 2)
      )
    )
    #expect(value == [[], 1])
    let all = try await client.get("http://h/", as: .jsonValue)
    #expect(all == [[.null], 1])
  }

  @Test(arguments: ["", " "])
  func anEmptyBodyIsNull(body: String) async throws {
    #expect(try await Self.read(Bytes(body)) == .null)
  }

  @Test(arguments: [
    (#"{"a":null,"b":{"c":null,"d":[null,1,[null]]}}"#, #"{"b":{"d":[1,[]]}}"#), ("[null]", "[]"),
    ("null", "null"),
    (#"{"a":null}"#, "{}"), ("[[null,{}]]", "[[{}]]"),
  ])
  func nullsAreRemovedAtAnyDepthIfAsked(text: String, result: String) async throws {
    #expect(try await Self.read(Bytes(text), removingNulls: true).description == result)
    #expect(try await Self.read(Bytes(text)).description == text)
  }

  @Test(arguments: ["{", "[1,]", "nul", "1 2", "\u{0}", "{'a':1}", "NaN"])
  func refusesABodyThatIsNotJSON(body: String) async throws {
    let error = try await #require(throws: ExchangeError.self) { _ = try await Self.read(Bytes(body)) }
    #expect(error.kind == .serialization)
    #expect(error.message.hasPrefix("the body is not valid JSON: "))
    #expect(error.underlying is JSONSyntaxError)
    #expect(error.bodyPrefix == Bytes(body))
  }
}
