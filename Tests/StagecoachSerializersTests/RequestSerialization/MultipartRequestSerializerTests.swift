import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct MultipartRequestSerializerTests {
  private static let boundary = "Boundary+0123456789ABCDEF"

  private static func request(_ body: MultipartBody, method: HTTPRequest.Method = .post) throws -> Request {
    var request = Request(method, "http://h/")
    try RequestContent.multipart(body).apply(to: &request)
    return request
  }

  /// The text of a body, whose declared length must be the true one.
  private static func text(_ body: MultipartBody) async throws -> String {
    let request = try request(body)
    let bytes = try await read(request.body)
    #expect(request.body.length == Int64(bytes.count))
    return String(decoding: bytes)
  }

  private static func error(_ body: MultipartBody, method: HTTPRequest.Method = .post) throws
    -> MultipartError?
  {
    let error = #expect(throws: ExchangeError.self) { _ = try request(body, method: method) }
    #expect(error?.kind == .requestSerialization)
    #expect(error?.stage == "MultipartRequestSerializer")
    return error?.underlying as? MultipartError
  }

  /// 29 + 46 + 5 + 33 bytes with a boundary of 25 characters.
  @Test func oneFieldHas113Bytes() throws {
    let request = try Self.request(.form([.text("value", name: "key")], boundary: Self.boundary))
    let text =
      "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nvalue\r\n--\(Self.boundary)--\r\n"
    #expect(text.utf8.count == 113)
    #expect(request.body.bytes.map { String(decoding: $0) } == text)
    #expect(request.body.length == 113)
    #expect(request.fields[values: .contentType] == ["multipart/form-data; boundary=\(Self.boundary)"])
  }

  /// AFNetworking's sum: 29 bytes for the first boundary, 31 for each further one, 33 for the last.
  @Test(arguments: 1...5)
  func theLengthIsTheSumOfItsPieces(count: Int) async throws {
    let parts = (0..<count).map { index in
      MultipartBody.Part.text(String(repeating: "\u{E4}", count: index), name: "k\(index)")
    }
    let heads = "Content-Disposition: form-data; name=\"k0\"\r\n\r\n".utf8.count * count
    let contents = (0..<count).reduce(0) { $0 + 2 * $1 }
    let text = try await Self.text(.form(parts, boundary: Self.boundary))
    #expect(text.utf8.count == 29 + heads + contents + 31 * (count - 1) + 33)
    #expect(text.hasPrefix("--\(Self.boundary)\r\n"))
    #expect(text.hasSuffix("\r\n--\(Self.boundary)--\r\n"))
  }

  @Test func theBytesOfEveryKindOfPart() async throws {
    let directory = try ScratchDirectory()
    let path = try directory.file("pic \"1\".PNG", Array("0123456789".utf8))
    let body = MultipartBody.form(
      [
        .text("v\u{E4}", name: "t"), .text("", name: "empty"),
        try .text("\u{E4}", name: "latin", charset: .isoLatin1),
        .data("d", name: "d"), .data("x", name: "x", fileName: "x.y", mediaType: nil),
        try .file(path, name: "f"), try .file(path, name: "r", range: 2..<4, fileName: "n", mediaType: .gif),
        MultipartBody.Part(
          name: "s",
          fields: [.contentLanguage: "de"],
          body: .stream(length: 2) { chunks(["a", "b"]) }
        ),
        MultipartBody.Part(
          fields: [.contentDisposition: "form-data; name=own", .contentType: "a/b"],
          body: .empty
        ),
      ],
      boundary: "B"
    )
    let request = try Self.request(body)
    let bytes = try await read(request.body)
    let heads = [
      "name=\"t\"\r\n\r\nv\u{E4}", "name=\"empty\"\r\n\r\n",
      "name=\"latin\"\r\nContent-Type: text/plain;charset=ISO-8859-1\r\n\r\n\u{FFFD}",
      "name=\"d\"\r\nContent-Type: application/octet-stream\r\n\r\nd",
      "name=\"x\"; filename=\"x.y\"\r\n\r\nx",
      "name=\"f\"; filename=\"pic %221%22.PNG\"\r\nContent-Type: image/png\r\n\r\n0123456789",
      "name=\"r\"; filename=\"n\"\r\nContent-Type: image/gif\r\n\r\n23",
      "name=\"s\"\r\nContent-Language: de\r\n\r\nab",
    ]
    let parts =
      heads.map { "--B\r\nContent-Disposition: form-data; \($0)\r\n" }.joined()
      + "--B\r\nContent-Disposition: form-data; name=own\r\nContent-Type: a/b\r\n\r\n\r\n--B--\r\n"
    #expect(String(decoding: bytes) == parts)
    #expect(request.body.length == Int64(bytes.count))
    #expect(request.body.isReplayable)
    #expect(try await read(request.body) == bytes)
  }

  @Test func namesAreEscapedAsBrowsersDo() async throws {
    let part = MultipartBody.Part(name: "a\"\r\nX: y\u{E4}\\%", fileName: "f\"\n\u{20AC}", body: .empty)
    var body = MultipartBody.form([part], boundary: "B")
    let plain = "form-data; name=\"a%22%0D%0AX: y\u{E4}\\%\"; filename=\"f%22%0A\u{20AC}\""
    #expect(try await Self.text(body) == "--B\r\nContent-Disposition: \(plain)\r\n\r\n\r\n--B--\r\n")
    body.extendsFileNames = true
    #expect(try await Self.text(body).contains("\(plain); filename*=UTF-8''f%22%0A%E2%82%AC\r\n"))
  }

  @Test func writesMixedAndRelatedBodies() async throws {
    let id = try #require(HTTPField.Name("Content-ID"))
    let parts: [MultipartBody.Part] = [
      .data("a", mediaType: .png),
      MultipartBody.Part(
        fileName: "\u{E4}.xml",
        mediaType: MediaType("text/xml;charset=utf-8"),
        fields: [id: "<r>"],
        body: .bytes("b")
      ),
    ]
    let lines =
      "--B\r\nContent-Type: image/png\r\n\r\na\r\n--B\r\nContent-Disposition: attachment; filename=_.xml; "
      + "filename*=UTF-8''%C3%A4.xml\r\nContent-Type: text/xml;charset=utf-8\r\nContent-ID: <r>\r\n\r\nb\r\n--B--\r\n"
    #expect(try await Self.text(.mixed(parts, boundary: "B")) == lines)
    #expect(try await Self.text(.related(parts, boundary: "B")) == lines)
    for (body, type) in [
      (MultipartBody.mixed(parts), "multipart/mixed"),
      (.related(parts), "multipart/related;type=\"image/png\""),
      (.related(parts, start: "<r>"), "multipart/related;type=\"text/xml\";start=\"<r>\""),
      (.related([.text("x")]), "multipart/related;type=\"text/plain\""),
    ] {
      var body = body
      body.boundary = "a b"
      let value = try #require(try Self.request(body).fields[.contentType])
      #expect(value == "\(type); boundary=\"a b\"")
      #expect(MediaType(value)?[parameter: "boundary"] == "a b")
    }
  }

  @Test func replacesTheTypeOfTheCaller() throws {
    var request = Request(.post, "/")
    request.fields[.contentType] = "application/json"
    let type = try #require(MediaType("multipart/mixed;boundary=old;x=y"))
    try RequestContent.multipart(MultipartBody(type, parts: [.text("a")], boundary: "new")).apply(
      to: &request
    )
    #expect(request.fields[values: .contentType] == ["multipart/mixed;x=y; boundary=new"])
  }

  @Test func aFormWithoutPartsIsLegal() async throws {
    #expect(try await Self.text(.form([], boundary: "B")) == "--B--\r\n")
    #expect(try Self.error(.mixed([])) == .noParts)
  }

  @Test func parametersBecomeParts() async throws {
    let parameters: Parameters = ["n": ["b=&+ \u{E4}": [1, true], "a": "x\r\n&"], "z": .null, "\"": ""]
    let parts = try MultipartBody.Part.fields(parameters)
    #expect(parts.map(\.name) == ["\"", "n[a]", "n[b=&+ \u{E4}][]", "n[b=&+ \u{E4}][]", "z"])
    #expect(parts.map { $0.body.bytes.map { String(decoding: $0) } } == ["", "x\r\n&", "1", "1", ""])
    #expect(try MultipartBody.Part.fields([:]).isEmpty)
  }

  @Test func whatCannotBeSentIsRefused() throws {
    #expect(try Self.error(.form([]), method: .get) == .methodWithoutContent("GET"))
    #expect(try Self.error(.form([]), method: .head) == .methodWithoutContent("HEAD"))
    #expect(try Self.error(MultipartBody(.json, parts: [])) == .notMultipart(.json))
    #expect(try Self.error(.form([.text("a", name: "a"), .text("b")])) == .missingName(part: 2))
    #expect(try Self.error(.form([.text("a", name: "a\0")])) == .invalidName(part: 1))
    for boundary in ["", "a ", "a\r\nb", "a\"", "\u{E4}", "a;b", String(repeating: "a", count: 71)] {
      #expect(try Self.error(.form([], boundary: boundary)) == .invalidBoundary(boundary))
    }
    #expect(
      try Self.error(.mixed([.text("a"), .text("x--Bx")], boundary: "B")) == .boundaryInContent(part: 2)
    )
    let large = Bytes(String(repeating: "-", count: 100_000) + "-B")
    #expect(try Self.error(.mixed([.data(large)], boundary: "B")) == .boundaryInContent(part: 1))
    #expect(throws: CharsetError.unencodable("ISO-8859-1", character: "\u{20AC}")) {
      try MultipartBody.Part.text("\u{20AC}", charset: .isoLatin1)
    }
    #expect(throws: ExchangeError.self) { try MultipartBody.Part.file("/missing", name: "f") }
  }

  @Test(
    arguments: [
      (.utf8, [0xE2, 0x82, 0xAC, 0x61]), (.utf16, [0xFE, 0xFF, 0x20, 0xAC, 0, 0x61]),
      (.utf16LE, [0xAC, 0x20, 0x61, 0]), (.utf32BE, [0, 0, 0x20, 0xAC, 0, 0, 0, 0x61]),
      (.windows1252, [0x80, 0x61]),
    ] as [(Charset, [UInt8])]
  )
  func encodesTextInACharset(charset: Charset, octets: [UInt8]) throws {
    let part = try MultipartBody.Part.text("\u{20AC}a", charset: charset)
    #expect(part.body.bytes == Bytes(octets))
    // The label of UTF-16 means the little-endian one, unless a byte order mark says otherwise.
    #expect(part.mediaType?.charset == (charset == .utf16 ? .utf16LE : charset))
    #expect(try charset.decode(octets) == "\u{20AC}a")
  }

  @Test func theBoundaryIsDrawnFromTheExchange() async throws {
    let seen = Log<String>()
    for _ in 1...2 {
      let transport = HandlerTransport { request in
        seen.add(request.fields[.contentType] ?? "")
        return Response(.ok)
      }
      let client = try Client(
        over: transport,
        configuration: .init(randomNumberGenerator: SeededRandom(seed: 5))
      )
      _ = try await client.post("http://h/", .multipart(.form([.text("a", name: "a")])), as: .data)
    }
    let random = SeededRandom(seed: 5)
    let bits = [random.next(), random.next()].map { String($0, radix: 16) }
      .map { String(repeating: "0", count: 16 - $0.count) + $0 }
    #expect(
      seen.all == Array(repeating: "multipart/form-data; boundary=stagecoach-\(bits.joined())", count: 2)
    )
    let request = try (1...2).map { _ in try Self.request(.form([])).fields[.contentType] }
    #expect(request[0] != request[1])
  }

  /// A part that holds the first boundary that the source of chance will give.
  @Test func aBoundaryThatOccursInAPartIsDrawnAgain() async throws {
    struct Scripted: RandomSource {
      let left: Counter
      func next() -> UInt64 { left.add() <= 2 ? 0xAB : 0xCD }
    }
    let zeros = String(repeating: "0", count: 14)
    let transport = HandlerTransport { Response(.ok, fields: [.eTag: $0.fields[.contentType] ?? ""]) }
    let client = try Client(
      over: transport,
      configuration: .init(randomNumberGenerator: Scripted(left: Counter()))
    )
    let body = MultipartBody.mixed([.text("--stagecoach-\(zeros)ab\(zeros)ab")])
    let response = try await client.response(for: .post("http://h/"), sending: .multipart(body), as: .data)
    #expect(response.fields[.eTag] == "multipart/mixed; boundary=stagecoach-\(zeros)cd\(zeros)cd")
  }

  @Test func aPartOfUnknownLengthMakesTheWholeUnknown() async throws {
    let known = MultipartBody.Part(name: "a", body: .oneShot(chunks(["x"]), length: 1))
    let unknown = MultipartBody.Part(name: "b", body: .stream(length: nil) { chunks(["y"]) })
    #expect(try Self.request(.form([unknown])).body.length == nil)
    #expect(try Self.request(.form([unknown])).body.isReplayable)
    let once = try Self.request(.form([known, unknown]))
    #expect(once.body.length == nil)
    #expect(!once.body.isReplayable)
    _ = try await read(once.body)
    let error = #expect(throws: ExchangeError.self) { _ = try once.body.makeSource() }
    #expect(error?.kind == .bodyNotReplayable)
    let huge = MultipartBody.Part(name: "c", body: .stream(length: .max) { chunks([]) })
    #expect(try Self.request(.form([huge, huge])).body.length == nil)
  }

  @Test func aPartThatIsShorterThanDeclaredFails() async throws {
    let part = MultipartBody.Part(name: "a", body: .stream(length: 3) { chunks(["x"]) })
    let request = try Self.request(.form([part]))
    let error = await #expect(throws: ExchangeError.self) { _ = try await read(request.body) }
    #expect(error?.kind == .requestBody)
    #expect(error?.message.contains("only 1 bytes (declared 3)") == true)
  }

  @Test func parametersInACharsetNameItInEveryPart() throws {
    let parameters: Parameters = ["ä": "ö€", "n": .null, "o": ["k": 1]]
    let parts = try MultipartBody.Part.fields(parameters, charset: .windows1252)
    #expect(parts.map(\.name) == ["n", "o[k]", "ä"])
    #expect(parts.map(\.body.bytes) == ["", "1", Bytes([0xF6, 0x80])])
    #expect(parts.allSatisfy { $0.mediaType == .plainText.with(charset: .windows1252) })
    #expect(try MultipartBody.Part.fields(parameters).allSatisfy { $0.mediaType == nil })
    #expect(throws: ParameterError.unencodable(key: "ä", charset: "ISO-8859-1")) {
      try MultipartBody.Part.fields(parameters, charset: .isoLatin1)
    }
    let unknown = try #require(Charset("no-such-charset"))
    #expect(throws: ParameterError.unusableCharset("NO-SUCH-CHARSET")) {
      try MultipartBody.Part.fields(parameters, charset: unknown)
    }
  }
}
