import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct FormRequestSerializerTests {
  private static func apply(_ content: RequestContent, to request: Request = .post("a")) throws -> Request {
    var request = request
    try content.apply(to: &request)
    return request
  }

  private struct Login: Encodable, Sendable {
    var userName = "jürgen k"
    var password = "a&b+c"
    var code: Int?
  }

  @Test(
    arguments: [
      (["key": "value", "key1": "value&"], "key=value&key1=value%26"),
      (["k": " :#[]@!$&'()*+,;=/?"], "k=%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D/?"),
      (["a": [.null, 1], "s": .set(["b", "a"])], "a%5B%5D&a%5B%5D=1&s=a&s=b"), ([:], ""), (["e": []], ""),
    ] as [(Parameters, String)]
  )
  func writesTheBodyAndDeclaresIt(parameters: Parameters, text: String) throws {
    let request = try Self.apply(.form(parameters))
    #expect(request.body.bytes.map { String(decoding: $0) } == text)
    #expect(!request.body.isEmpty)
    #expect(request.body.length == Int64(text.utf8.count))
    #expect(request.body.isReplayable)
    #expect(request.fields[values: .contentType] == ["application/x-www-form-urlencoded"])
    #expect(request.reference == "a")
  }

  @Test func anEncodableValueIsAForm() throws {
    var encoder = QueryEncoder()
    encoder.keyCase = .snakeCase
    encoder.escaping = .form
    encoder.nullStyle = .drop
    let request = try Self.apply(.form(encoding: Login(), encoder: encoder))
    #expect(
      request.body.bytes.map { String(decoding: $0) } == "password=a%26b%2Bc&user_name=j%C3%BCrgen+k"
    )
  }

  @Test func anEncodableValueIsAQuery() throws {
    #expect(
      try Self.apply(.query(encoding: Login())).reference
        == "a?code&password=a%26b%2Bc&userName=j%C3%BCrgen%20k"
    )
  }

  /// A default is for requests that declare nothing, and a form declares what it is.
  @Test func theTypeOfAFormBeatsADefault() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(
      over: transport,
      configuration: .init(defaults: .init(fields: [.contentType: "text/plain"]))
    )
    _ = try await client.post("http://h/", .form(["a": 1]), as: .data)
    #expect(
      transport.requests.first?.fields[values: .contentType] == ["application/x-www-form-urlencoded"]
    )
  }

  /// Lone surrogates, which broke AFNetworking's escaping, no `String` can hold; what is made of bytes is lossy.
  @Test func textOfBrokenBytesIsSentAsReplaced() throws {
    let broken = String(decoding: [0x61, 0xED, 0xA0, 0x80] as [UInt8], as: UTF8.self)
    #expect(
      try Self.apply(.form(["k": .string(broken)])).body.bytes.map { String(decoding: $0) }
        == "k=a%EF%BF%BD%EF%BF%BD%EF%BF%BD"
    )
  }

  @Test func theCallersTypeStays() throws {
    var request = Request.post("a")
    request.fields[.contentType] = "application/x-www-form-urlencoded; charset=utf-8"
    #expect(
      try Self.apply(.form(["a": 1]), to: request).fields[values: .contentType]
        == ["application/x-www-form-urlencoded; charset=utf-8"]
    )
  }

  @Test(
    arguments: [
      (.isoLatin1, "kä=1\u{A0}", "k%E4=1%A0"), (.windows1252, "€=ä", "%80=%E4"), (.usASCII, "a=b", "a=b"),
      (.utf8, "ä=€", "%C3%A4=%E2%82%AC"),
    ] as [(Charset, String, String)]
  )
  func theTextIsInTheCharsetAndNamesIt(charset: Charset, pair: String, text: String) throws {
    let halves = pair.split(separator: "=").map(String.init)
    let parameters = Parameters([.init(key: halves[0], value: .string(halves[1]))])
    let request = try Self.apply(.form(parameters, charset: charset))
    // A request names its charset even where that is the default: who asks for it wants it declared.
    #expect(
      request.fields[.contentType].flatMap(MediaType.init) == MediaType.form.with(charset: charset)
    )
    #expect(request.body.bytes.map { String(decoding: $0) } == text)
  }

  @Test func encodesFormsInCharsetsOfTheSystem() throws {
    let shiftJIS = try #require(Charset("shift_jis"))
    guard shiftJIS.isSupported else { return }
    let request = try Self.apply(.form(["日本": [.string("表")]], charset: shiftJIS))
    #expect(request.body.bytes.map { String(decoding: $0) } == "%93%FA%96%7B%5B%5D=%95%5C")
    let japanese = try #require(Charset("iso-2022-jp"))
    guard japanese.isSupported else { return }
    // The charset goes back to its initial state at the end of each text.
    #expect(
      try Self.apply(.form(["k": "日"], charset: japanese)).body.bytes.map { String(decoding: $0) }
        == "k=%1B%24BF%7C%1B%28B"
    )
  }

  @Test func aCustomStyleIsInTheCharsetToo() throws {
    var encoder = QueryEncoder()
    encoder.custom = { _ in "ä=**" }
    #expect(
      try Self.apply(.form([:], encoder: encoder, charset: .isoLatin1)).body.bytes?.array
        == [0xE4, 0x3D, 0x2A, 0x2A]
    )
    encoder.custom = { _ in throw Foreign() }
    let error = try #require(throws: ExchangeError.self) { try Self.apply(.form([:], encoder: encoder)) }
    #expect(error.kind == .requestSerialization)
    #expect(error.underlying is Foreign)
  }

  @Test(
    arguments: [
      (.isoLatin1, .unencodable(key: "o[€]", charset: "ISO-8859-1")),
      (.windows1252, nil), (.usASCII, .unencodable(key: "o[€]", charset: "US-ASCII")),
      (.utf16, .unusableCharset("UTF-16")), (.utf32LE, .unusableCharset("UTF-32LE")),
      (Charset("utf-7") ?? .utf8, .unusableCharset("UTF-7")),
      (Charset("no-such-charset") ?? .utf8, .unusableCharset("NO-SUCH-CHARSET")),
      (Charset("wchar_t") ?? .utf8, .unusableCharset("WCHAR_T")),
      (Charset("koi8-r") ?? .utf8, .unencodable(key: "o[€]", charset: "KOI8-R")),
    ] as [(Charset, ParameterError?)]
  )
  func textThatTheCharsetDoesNotHaveIsRefused(charset: Charset, error: ParameterError?) throws {
    var request = Request.post("a")
    var seen: ParameterError?
    do {
      try RequestContent.form(["o": ["€": 1]], charset: charset).apply(to: &request)
    } catch let failure as ExchangeError {
      #expect(failure.stage == "FormRequestSerializer")
      seen = failure.underlying as? ParameterError
    }
    #expect(seen == error)
    if error != nil { #expect(request.body.isEmpty && request.fields.isEmpty) }
  }

  @Test func failuresOfEncodableValuesNameTheSerializer() throws {
    let error = try #require(throws: ExchangeError.self) { try Self.apply(.form(encoding: [1, 2])) }
    #expect(error.kind == .requestSerialization)
    #expect(error.stage == "FormRequestSerializer")
    #expect(error.underlying as? ParameterError == .noKeys)
  }

  @Test func goesThroughAClient() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    _ = try await Client(over: transport).post("http://h/login", .form(encoding: Login()), as: .data)
    let sent = try #require(transport.requests.first)
    #expect(sent.fields[.contentType] == "application/x-www-form-urlencoded")
    #expect(
      sent.body.bytes.map { String(decoding: $0) } == "code&password=a%26b%2Bc&userName=j%C3%BCrgen%20k"
    )
  }

  @Test func bracketsOfKeysInACharset() throws {
    var encoder = QueryEncoder()
    encoder.escaping = .literalBrackets
    var request = Request.post("a")
    try RequestContent.form(["ä": ["b": "ö["]], encoder: encoder, charset: .isoLatin1).apply(to: &request)
    #expect(request.body.bytes.map { String(decoding: $0) } == "%E4[b]=%F6%5B")
  }

  @Test(arguments: ["iso-8859-1", "windows-1252", "us-ascii", "koi8-r", "utf-8"])
  func textComesBackInACharset(name: String) throws {
    let charset = try #require(Charset(name))
    // What every one of them has beyond ASCII, none.
    let texts = ["iso-8859-1": "äß\u{A0}", "windows-1252": "€ä", "koi8-r": "Привет", "utf-8": "👴🏿"]
    let text = (texts[name] ?? "") + "a &=%+"
    var request = Request.post("a")
    try RequestContent.form(["k\(text)": .string(text)], charset: charset).apply(to: &request)
    var decoder = QueryDecoder()
    decoder.charset = charset
    let read = try decoder.queryItems(from: try #require(request.body.bytes))
    #expect(read == [URLQueryItem(name: "k\(text)", value: text)])
  }
}
