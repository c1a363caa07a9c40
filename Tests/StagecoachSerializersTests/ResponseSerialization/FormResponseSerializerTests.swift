import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct FormResponseSerializerTests {
  private struct Token: Codable, Equatable, Sendable {
    var access: String
    var expires: Int?
    var scopes: [String]
  }

  private static func read<Serializer: ResponseSerializer>(
    _ body: Bytes,
    type: String? = "application/x-www-form-urlencoded",
    charset: Charset? = nil,
    _ serializer: Serializer
  ) async throws -> Serializer.Output {
    let transport = HandlerTransport { _ in
      Response(.ok, fields: type.map { [.contentType: $0] } ?? [:], body: .bytes(body))
    }
    var request = Request.get("http://h/")
    request.options.textCharset = charset
    return try await Client(over: transport).value(for: request, as: serializer)
  }

  @Test func decodesAValue() async throws {
    let token = try await Self.read("access=a+b%2B&expires=60&scopes[]=x&scopes%5B%5D=y", .form(Token.self))
    #expect(token == Token(access: "a b+", expires: 60, scopes: ["x", "y"]))
  }

  @Test func readsPairs() async throws {
    let items = [
      URLQueryItem(name: "b", value: "1"), URLQueryItem(name: "a[c]", value: "x y"),
      URLQueryItem(name: "b", value: nil),
    ]
    #expect(try await Self.read("b=1&a%5Bc%5D=x+y&b", .formItems) == items)
    #expect(try await Self.read("", .formItems) == [])
  }

  @Test(
    arguments: [
      ("k=%E4", "application/x-www-form-urlencoded; charset=iso-8859-1", nil, "ä"),
      ("k=%80", "application/x-www-form-urlencoded; charset=windows-1252", nil, "€"),
      ("k=%C3%A4", "application/x-www-form-urlencoded; charset=no-such-charset", nil, "ä"),
      ("k=%E4", "application/x-www-form-urlencoded; charset=utf-8", .isoLatin1, "ä"),
    ] as [(Bytes, String, Charset?, String)]
  )
  func theCharsetIsTheOneDeclared(body: Bytes, type: String, charset: Charset?, text: String) async throws {
    let items = [URLQueryItem(name: "k", value: text)]
    #expect(try await Self.read(body, type: type, charset: charset, .formItems) == items)
    #expect(
      try await Self.read(body, type: type, charset: charset, .form([String: String].self)) == ["k": text]
    )
  }

  @Test func aDeclaredCharsetWithoutASCIIIsIgnored() async throws {
    let type = "application/x-www-form-urlencoded; charset=utf-16"
    #expect(try await Self.read("k=%C3%A4", type: type, .form([String: String].self)) == ["k": "ä"])
  }

  @Test func aCharsetWithoutASCIIThatTheCallerSetsIsRefused() async throws {
    let error = try await #require(throws: ExchangeError.self) {
      try await Self.read("k=v", charset: .utf16, .formItems)
    }
    #expect(error.kind == .serialization)
    #expect(error.message == "a form cannot be in UTF-16")
  }

  @Test func anEmptyBodyIsNilOrAnEmptyForm() async throws {
    #expect(try await Self.read("", .form(Token?.self)) == nil)
    #expect(try await Self.read("", .form([String: String].self)) == [:])
    #expect(try await Self.read("access=x", .form(Token?.self)) == Token(access: "x", scopes: []))
  }

  @Test func asksForFormsAndRefusesOthers() async throws {
    let serializer = FormResponseSerializer(Token.self)
    #expect(serializer.accepts.acceptField == "application/x-www-form-urlencoded")
    for type in ["text/plain", nil] {
      let error = try await #require(throws: ExchangeError.self) {
        try await Self.read("a=1", type: type, serializer)
      }
      #expect(error.kind == .mediaType)
    }
  }

  @Test func failuresNameThePlaceAndKeepTheBody() async throws {
    let body: Bytes = "access=x&expires=soon"
    let error = try await #require(throws: ExchangeError.self) {
      try await Self.read(body, .form(Token.self))
    }
    #expect(error.kind == .serialization)
    #expect(error.message == "the body cannot be decoded as Token: at $.expires, not a Int")
    #expect(error.bodyPrefix == body)
    #expect(error.underlying is DecodingError)
  }

  @Test func nestedTypesAreRefusedWithTheirKey() async throws {
    struct Nested: Decodable {
      var token: Token
    }
    let error = try await #require(throws: ExchangeError.self) {
      try await Self.read("token[access]=x", .form(Nested.self))
    }
    #expect(
      error.message == "the body cannot be decoded as Nested: at $.token, "
        + "nested values of 'token' are not decoded; queryItems(from:) returns the pairs"
    )
  }

  @Test func malformedFormsAreRefused() async throws {
    let body: Bytes = "access=%"
    let typed = try await #require(throws: ExchangeError.self) {
      try await Self.read(body, .form(Token.self))
    }
    let untyped = try await #require(throws: ExchangeError.self) { try await Self.read(body, .formItems) }
    for error in [typed, untyped] {
      #expect(error.kind == .serialization)
      #expect(error.message.hasPrefix("the body is not a form: The % at offset 7 "))
      #expect(error.underlying as? ParameterError == .malformedEscape(offset: 7))
      #expect(error.bodyPrefix == body)
    }
  }

  @Test func theDecoderIsTheCallers() async throws {
    var decoder = QueryDecoder.form
    decoder.arrayStyle = .comma
    decoder.mode = .lossy
    let token = try await Self.read(
      "access=%&scopes=x,y",
      FormResponseSerializer(Token.self, decoder: decoder)
    )
    #expect(token == Token(access: "%", scopes: ["x", "y"]))
    decoder.pairLimit = 1
    let error = try await #require(throws: ExchangeError.self) {
      try await Self.read("a=1&b=2", FormResponseSerializer<[URLQueryItem]>(decoder: decoder))
    }
    #expect(error.underlying as? ParameterError == .tooManyPairs(limit: 1))
  }
}
