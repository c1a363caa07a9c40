import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct TextResponseSerializerTests {
  /// The text of a body, as a client reads it.
  private static func text(
    _ bytes: [UInt8],
    type: String?,
    charset: Charset? = nil,
    mode: Charset.Mode = .strict
  ) async throws -> String {
    let transport = HandlerTransport { _ in
      Response(.ok, fields: type.map { [.contentType: $0] } ?? [:], body: .bytes(Bytes(bytes)))
    }
    var request = Request.get("http://h/")
    if let charset { request.options.textCharset = charset }
    return try await Client(over: transport).value(for: request, as: TextResponseSerializer(mode: mode))
  }

  @Test(
    arguments: [
      (Array("ä".utf8), nil, "ä"), (Array("ä".utf8), "text/plain", "ä"),
      ([0xe4], "text/plain; charset=iso-8859-1", "ä"), ([0x80], "text/html; charset=\"windows-1252\"", "€"),
      ([0xef, 0xbb, 0xbf, 0xc3, 0xa4], "text/plain; charset=iso-8859-1", "ä"),
      ([0xff, 0xfe, 0xe4, 0x00], "text/plain", "ä"),
      ([0xc4, 0xe3, 0xba, 0xc3], "text/plain; charset=GBK", "你好"),
      ([0xa7, 0x41, 0xa6, 0x6e], "text/plain; charset=Big5", "你好"),
      ([0x93, 0xfa, 0x96, 0x7b], "text/plain; charset=Shift_JIS", "日本"), ([], "text/plain", ""),
      (Array("ä".utf8), "text/plain; charset=no-such-charset", "ä"), (Array("x".utf8), "garbage", "x"),
    ] as [([UInt8], String?, String)]
  )
  func theCharsetIsTheOneDeclared(bytes: [UInt8], type: String?, text: String) async throws {
    #expect(try await Self.text(bytes, type: type) == text)
  }

  @Test func theRequestMayOverrideTheCharset() async throws {
    let latin = try #require(Charset("iso-8859-1"))
    #expect(try await Self.text([0xe4], type: "text/plain; charset=utf-8", charset: latin) == "ä")
  }

  @Test func illFormedTextIsAnErrorOrReplaced() async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.text([0x61, 0xff], type: "text/plain")
    }
    #expect(error.kind == .serialization)
    #expect(error.stage == "TextResponseSerializer")
    #expect(error.message.hasPrefix("the body is not valid text: "))
    #expect(error.advice?.contains("textCharset") == true)
    #expect(error.underlying is CharsetError)
    #expect(error.bodyPrefix == Bytes([0x61, 0xff]))
    #expect(try await Self.text([0x61, 0xff], type: "text/plain", mode: .lossy) == "a\u{fffd}")
  }

  @Test func asksForTextFirstAndTakesAnything() {
    let accepts = TextResponseSerializer().accepts
    #expect(accepts.accepts(MediaType("image/png")))
    #expect(accepts.accepts(nil as MediaType?))
    #expect(accepts.acceptField.hasPrefix("text/*"))
    #expect(TextResponseSerializer(accepting: .json).accepts == .json)
  }
}

@Suite struct DataResponseSerializerTests {
  @Test func givesTheBytesWhateverTheType() async throws {
    let transport = HandlerTransport { _ in
      Response(.ok, fields: [.contentType: "image/png"], body: .bytes(Bytes([0, 255])))
    }
    let client = try Client(over: transport)
    #expect(try await client.value(for: .get("http://h/"), as: .data) == Bytes([0, 255]))
    #expect(transport.requests.first?.fields[.accept] == "*/*")
    let picky = DataResponseSerializer(accepting: Acceptance(mediaTypes: ranges(["image/jpeg"])))
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await client.value(for: .get("http://h/"), as: picky)
    }
    #expect(error.kind == .mediaType)
  }

  @Test func theLimitIsTheRequests() async throws {
    let client = try Client(over: HandlerTransport { _ in Response(.ok, body: .bytes("1234")) })
    for (limit, isFine) in [(3, false), (4, true), (5, true)] {
      let request = Request.get("http://h/").with(\.bodyLimit, limit)
      if isFine {
        #expect(try await client.value(for: request, as: .data) == "1234")
      } else {
        await #expect(throws: ExchangeError.self) { _ = try await client.value(for: request, as: .data) }
      }
    }
  }
}
