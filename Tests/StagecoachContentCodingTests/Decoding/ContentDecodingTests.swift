import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import Testing

@Suite(.timeLimit(.minutes(1))) struct ContentDecodingTests {
  static let plain = Vectors.plain

  private static func field(_ name: String) throws -> HTTPField.Name {
    try #require(HTTPField.Name(name))
  }

  private static func response(_ fields: HTTPFields, _ bytes: [UInt8]) -> Response {
    Response(.ok, fields: fields, body: .bytes(Bytes(bytes)))
  }

  // MARK: Accept-Encoding

  @Test func acceptEncodingListsTheCodings() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    _ = try await Pipeline(over: transport, stages: [ContentDecoding()]).send(.get("http://h/"))
    _ = try await Pipeline(over: transport, stages: [ContentDecoding([])]).send(.get("http://h/"))
    var ranged = Request.get("http://h/")
    ranged.fields[.range] = "bytes=5-"
    _ = try await Pipeline(over: transport, stages: [ContentDecoding()]).send(ranged)
    #expect(transport.requests.map { $0.fields[.acceptEncoding] } == [builtInNames, nil, nil])
  }

  @Test(arguments: ["gzip", "", "br;q=0.5"])
  func anExplicitAcceptEncodingGetsTheBodyUndecoded(value: String) async throws {
    let transport = HandlerTransport { _ in Self.response([.contentEncoding: "gzip"], Vectors.gzip) }
    var request = Request.get("http://h/")
    request.fields[.acceptEncoding] = value
    let response = try await Pipeline(over: transport, stages: [ContentDecoding()]).send(request)
    #expect(transport.requests.first?.fields[.acceptEncoding] == value)
    #expect(response.fields[.contentEncoding] == "gzip")
    #expect(try await response.body.collect(upTo: 9999) == Bytes(Vectors.gzip))
  }

  @Test func aRequestForIdentityIsStillDecoded() async throws {
    let transport = HandlerTransport { _ in Self.response([.contentEncoding: "gzip"], Vectors.gzip) }
    var request = Request.get("http://h/")
    request.fields[.acceptEncoding] = "identity"
    let response = try await Pipeline(over: transport, stages: [ContentDecoding()]).send(request)
    #expect(transport.requests.first?.fields[.acceptEncoding] == "identity")
    #expect(response.fields[.contentEncoding] == nil)
    #expect(try await response.body.collect(upTo: 9999) == Bytes(Self.plain))
  }

  /// A download is what the server published.
  @Test(arguments: [nil, "identity", "gzip"])
  func aRequestThatKeepsTheCodingIsNotChanged(asked: String?) async throws {
    let transport = HandlerTransport { _ in Self.response([.contentEncoding: "gzip"], Vectors.gzip) }
    var request = Request.get("http://h/")
    request.fields[.acceptEncoding] = asked
    request.options.keepsContentCoding = true
    let response = try await Pipeline(over: transport, stages: [ContentDecoding()]).send(request)
    #expect(transport.requests.first?.fields[.acceptEncoding] == asked)
    #expect(response.fields[.contentEncoding] == "gzip")
    #expect(try await response.body.collect(upTo: 9999) == Bytes(Vectors.gzip))
  }

  @Test func theFullAnswerToARangeIsDecoded() async throws {
    var request = Request.get("http://h/")
    request.fields[.range] = "bytes=0-"
    #expect(try await decode(Vectors.gzip, as: "gzip", of: request) == Reading(bytes: Self.plain))
  }

  // MARK: Codings

  @Test(arguments: ["", "identity", " Identity , identity", ","])
  func identityIsNotDecoded(value: String) async throws {
    let fields: HTTPFields = [.contentEncoding: value, .contentLength: "3"]
    let response = try await respond(with: Self.response(fields, Array("abc".utf8)))
    #expect(response.fields == fields)
    #expect(try await response.body.collect(upTo: 9) == "abc")
  }

  @Test func chainsAreUndoneFromTheRight() async throws {
    for (inner, name) in [(Vectors.zlib, "deflate"), (Vectors.bare, "deflate"), (Vectors.gzip, "gzip")] {
      let twice = try await gzip(inner)
      for size in [1, 3, twice.count] {
        let chunks = pieces(twice, of: size)
        #expect(try await decode(chunks, as: "\(name), gzip") == Reading(bytes: Self.plain))
        #expect(try await decode(chunks, as: " \(name)\t,identity,,\tx-gzip ") == Reading(bytes: Self.plain))
      }
      #expect(try await decode(twice, as: "gzip, \(name)").failure != nil || name == "gzip")
    }
  }

  @Test func severalFieldsAreOneList() async throws {
    let twice = try await gzip(Vectors.zlib)
    var fields: HTTPFields = [.contentEncoding: "deflate"]
    fields.append(HTTPField(name: .contentEncoding, value: "gzip"))
    let sent = fields
    let response = try await respond(with: Self.response(sent, twice))
    #expect(response.fields.isEmpty)
    #expect(try await response.body.collect(upTo: 9999) == Bytes(Self.plain))
  }

  @Test func aChainOfNothingIsEmpty() async throws {
    #expect(try await decode([] as [Bytes], as: "deflate, gzip") == Reading())
    #expect(try await decode(Vectors.gzipOfNothing, as: "deflate, gzip") == Reading())
  }

  @Test func errorsInsideAChainComeAfterTheGoodBytes() async throws {
    let cut = try await gzip(Array(Vectors.zlib.dropLast(1)))
    #expect(
      try await decode(cut, as: "deflate, gzip")
        == Reading(bytes: Self.plain, failure: .contentCoding(.truncated))
    )
    let outerCut = try await gzip(Vectors.zlib).dropLast(8)
    #expect(
      try await decode(Array(outerCut), as: "deflate, gzip")
        == Reading(bytes: Self.plain, failure: .contentCoding(.truncated))
    )
  }

  @Test func thereIsALimitToTheNumberOfCodings() async throws {
    let thrice = try await gzip(try await gzip(Vectors.gzip))
    #expect(try await decode(thrice, as: "gzip, gzip, gzip, identity") == Reading(bytes: Self.plain))
    let source = ScriptedSource([Bytes(thrice)])
    let body = Response.Body(source: source)
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await respond(
        with: Response(.ok, fields: [.contentEncoding: "a, gzip, gzip, gzip"], body: body)
      )
    }
    #expect(error.kind == .limit(.structure))
    #expect(error.limit == ExchangeError.Limit(option: "contentCodingLimit", value: "3 codings"))
    #expect(error.stage == "ContentDecoding")
    #expect(error.response?.status == .ok)
    #expect(source.isCancelled)
    let four = try await gzip(thrice)
    let request = Request.get("http://h/").with(\.contentCodingLimit, 4)
    #expect(try await decode(four, as: "gzip,gzip,gzip,gzip", of: request) == Reading(bytes: Self.plain))
  }

  @Test(arguments: ["exi", "gzip, zzz", "compress"])
  func anUnknownCodingPassesOn(value: String) async throws {
    let fields: HTTPFields = [.contentEncoding: value, .contentLength: "\(Vectors.gzip.count)"]
    let response = try await respond(with: Self.response(fields, Vectors.gzip))
    #expect(response.fields == fields)
    #expect(response.body.length == Int64(Vectors.gzip.count))
    #expect(try await response.body.collect(upTo: 9999) == Bytes(Vectors.gzip))
  }

  @Test func whatIsKnownAfterAnUnknownCodingIsUndone() async throws {
    var fields: HTTPFields = [.server: "s", .contentEncoding: "yyy, ZZZ", .contentLength: "1"]
    fields.append(HTTPField(name: .contentEncoding, value: "gzip"))
    let sent = fields
    let response = try await respond(with: Self.response(sent, Vectors.gzip))
    #expect(response.fields == [.server: "s", .contentEncoding: "yyy, zzz"])
    #expect(try await response.body.collect(upTo: 9999) == Bytes(Self.plain))
  }

  @Test(arguments: ["exi", "zzz, gzip"])
  func anUnknownCodingIsAnErrorByChoice(value: String) async throws {
    let source = ScriptedSource([Bytes(Vectors.gzip)])
    let body = Response.Body(source: source)
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await respond(
        with: Response(.ok, fields: [.contentEncoding: value], body: body),
        to: Request.get("http://h/").with(\.refusesUnknownCodings, true)
      )
    }
    #expect(error.kind == .contentCoding(.unknown))
    #expect(error.message.hasSuffix("(known: \(builtInNames))"))
    #expect(source.isCancelled)
  }

  // MARK: Messages

  @Test(arguments: [HTTPResponse.Status.noContent, .notModified, .partialContent, .init(code: 205)])
  func responsesWithoutContentAreNotChanged(status: HTTPResponse.Status) async throws {
    let fields: HTTPFields = [.contentEncoding: "gzip", .contentLength: "3"]
    let response = try await respond(with: Response(status, fields: fields, body: .bytes("raw")))
    #expect(response.fields == fields)
    #expect(try await response.body.collect(upTo: 9) == "raw")
  }

  @Test func anAnswerToHEADIsNotChanged() async throws {
    let fields: HTTPFields = [.contentEncoding: "gzip", .contentLength: "3"]
    let response = try await respond(with: Response(.ok, fields: fields), to: .head("http://h/"))
    #expect(response.fields == fields)
    #expect(response.body.length == 0)
  }

  @Test(arguments: [HTTPResponse.Status.notFound, .internalServerError, .movedPermanently])
  func otherStatusesAreDecoded(status: HTTPResponse.Status) async throws {
    let body = Response.Body.bytes(Bytes(Vectors.gzip))
    let response = try await respond(with: Response(status, fields: [.contentEncoding: "gzip"], body: body))
    #expect(try await response.body.collect(upTo: 9999) == Bytes(Self.plain))
  }

  @Test func fieldsOfTheCodedBodyAreRemoved() async throws {
    let kept: HTTPFields = [
      .server: "s", .eTag: "\"a\"", .vary: "Accept-Encoding", .contentType: "text/plain",
    ]
    var fields = kept
    let removed = [
      "Content-Length", "Accept-Ranges", "Content-MD5", "Digest", "Content-Digest", "Repr-Digest",
      "content-encoding",
    ]
    for name in removed {
      fields.append(
        HTTPField(name: try Self.field(name), value: name == "content-encoding" ? "gzip" : "1")
      )
    }
    let sent = fields
    let response = try await respond(with: Self.response(sent, Vectors.gzip))
    #expect(response.fields == kept)
    #expect(response.body.length == nil)
    let empty = try await respond(with: Response(.ok, fields: sent))
    #expect(empty.fields == kept)
    #expect(empty.body.length == 0)
  }

  @Test func monitorsGetTheDecodedCodings() async throws {
    let recorder = DecodingRecorder()
    let twice = try await gzip(Vectors.zlib)
    let transport = HandlerTransport { _ in Self.response([.contentEncoding: "zzz, deflate, gzip"], twice) }
    let client = try Client(
      Pipeline(over: transport, stages: [ContentDecoding()]),
      configuration: .init(monitors: [recorder])
    )
    _ = try await client.send(.get("http://h/")).body.collect(upTo: 9999)
    #expect(recorder.events == ["passing on the unknown coding zzz", "decoding gzip, deflate"])
  }

  /// `<!-- page -->`, as a server of the field sends it behind the end of its data.
  @Test(arguments: ["gzip", "deflate, gzip"])
  func bytesAfterTheEndAreIgnoredWithAnEvent(codings: String) async throws {
    let member = try await gzip(codings == "gzip" ? Self.plain : Vectors.zlib)
    let ignored = ["ignoring bytes after the end of the gzip data"]
    let cases: [([UInt8], [String])] = [
      (member + Array("<!-- page -->".utf8), ignored), (member + [0, 0, 1], ignored), (member + [0, 0], []),
      (member, []),
      (member + noise(100_000), ignored),
    ]
    for (body, events) in cases {
      for size in [1000, 40_000] {
        let recorder = DecodingRecorder()
        let transport = HandlerTransport { _ in coded(codings, pieces(body, of: size)) }
        let client = try Client(
          Pipeline(over: transport, stages: [ContentDecoding()]),
          configuration: .init(monitors: [recorder])
        )
        let decoded = try await client.send(.get("http://h/")).body.collect(upTo: 9999)
        #expect(decoded == Bytes(Self.plain))
        #expect(recorder.events.dropFirst().elementsEqual(events))
      }
    }
  }

  @Test func bytesWithoutEndAfterTheEndReachALimit() async throws {
    let source = EndlessSource(Bytes(Vectors.gzip), Bytes([UInt8](repeating: 0x3C, count: 64 * 1024)))
    let response = try await respond(
      with: Response(.ok, fields: [.contentEncoding: "gzip"], body: Response.Body(source: source))
    )
    let error = await #expect(throws: ExchangeError.self) { try await response.body.collect(upTo: 9999) }
    #expect(error?.kind == .limit(.decodedBody))
    #expect(error?.message == "more than 1048576 bytes follow the end of the gzip data")
    #expect(source.pulls < 30)
    // By choice there is no limit.
    let tail = [UInt8](repeating: 0x3C, count: 2 << 20)
    let request = Request.get("http://h/").with(\.decodingRatioLimit, nil)
    #expect(
      try await decode(pieces(Vectors.gzip + tail, of: 64 * 1024), as: "gzip", of: request)
        == Reading(bytes: Self.plain)
    )
  }

  @Test func serializersSeeTheDecodedBody() async throws {
    let body = Bytes(try await gzip(Array(#"{"name":"Grüße"}"#.utf8)))
    let transport = HandlerTransport { _ in
      Response(
        .ok,
        fields: [
          .contentType: "application/json", .contentEncoding: "gzip", .contentLength: "\(body.count)",
        ],
        body: .bytes(body)
      )
    }
    var pipeline = Pipeline.standard(over: transport)
    try pipeline.insert(ContentDecoding(), after: Validation.self)
    let value: [String: String] = try await Client(pipeline).get("http://h/")
    #expect(value == ["name": "Grüße"])
  }
}
