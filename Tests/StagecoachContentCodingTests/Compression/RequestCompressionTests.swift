import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import Testing

@Suite(.timeLimit(.minutes(1))) struct RequestCompressionTests {
  private static let plain = Array(String(repeating: "all change at the next stage\n", count: 100).utf8)

  private static func isPlain(_ request: Request, _ body: [UInt8] = plain) async throws -> Bool {
    let bytes = try await read(request.body)
    return !request.fields.contains(.contentEncoding) && bytes == body
  }

  @Test func aBodyInMemoryGetsAnExactLength() async throws {
    let request = try await compress(
      .bytes(Bytes(Self.plain)),
      fields: [.contentLength: "\(Self.plain.count)"]
    )
    #expect(request.fields == [.contentEncoding: "gzip"])
    let bytes = try #require(request.body.bytes)
    #expect(bytes.count < Self.plain.count / 10)
    #expect(request.body.length == Int64(bytes.count))
    #expect(request.body.isReplayable)
    #expect(try await decode(bytes.array, as: "gzip") == Reading(bytes: Self.plain))
  }

  @Test func aStreamIsSentWithoutALength() async throws {
    let trailers: HTTPFields = [.server: "s"]
    let body = Request.Body.source(length: 4900, isReplayable: true, hasTrailers: true) {
      ScriptedSource(pieces(noise(4900), of: 7), trailers: trailers)
    }
    let request = try await compress(body)
    #expect(request.fields == [.contentEncoding: "gzip"])
    #expect(request.body.length == nil)
    #expect(request.body.hasTrailers)
    #expect(request.body.isReplayable)
    let first = try await read(request.body)
    #expect(try await read(request.body) == first)
    #expect(try await decode(first, as: "gzip") == Reading(bytes: noise(4900)))
    let source = try request.body.makeSource()
    while try await source.next() != nil {}
    #expect(source.trailers == trailers)
  }

  @Test func aOneShotBodyStaysOneShot() async throws {
    let body = Request.Body.source(length: nil, isReplayable: false) { ScriptedSource([Bytes(Self.plain)]) }
    let request = try await compress(body)
    #expect(!request.body.isReplayable)
    #expect(try await decode(try await read(request.body), as: "gzip") == Reading(bytes: Self.plain))
    let error = #expect(throws: ExchangeError.self) { try request.body.makeSource() }
    #expect(error?.kind == .bodyNotReplayable)
  }

  @Test func theLengthThatWasDeclaredIsStillChecked() async throws {
    let body = Request.Body.source(length: 2000, isReplayable: true) { ScriptedSource(["short"]) }
    let request = try await compress(body)
    let error = await #expect(throws: ExchangeError.self) { try await read(request.body) }
    #expect(error?.kind == .requestBody)
  }

  @Test func aFileIsReadAsItIsSent() async throws {
    let request = try await compress(try .file(#filePath))
    #expect(request.body.length == nil)
    #expect(request.body.isReplayable)
    let reading = try await decode(try await read(request.body), as: "gzip")
    #expect(String(decoding: reading.bytes, as: UTF8.self).hasPrefix("import HTTPTypes\n"))
  }

  @Test func theThresholdDecides() async throws {
    for (count, threshold) in [(1023, 1024), (10, 11), (2900, nil)] as [(Int, Int64?)] {
      let plain = Array(Self.plain.prefix(count))
      let request = try await compress(.bytes(Bytes(plain))) { $0.compressionThreshold = threshold }
      #expect(try await Self.isPlain(request, plain))
    }
    for (count, threshold) in [(1024, 1024), (100, 100), (100, 0)] as [(Int, Int64?)] {
      let request = try await compress(.bytes(Bytes(Self.plain.prefix(count)))) {
        $0.compressionThreshold = threshold
      }
      #expect(request.fields[.contentEncoding] == "gzip")
    }
    let known = try await compress(.source(length: 5, isReplayable: true) { ScriptedSource(["12345"]) })
    #expect(try await Self.isPlain(known, Array("12345".utf8)))
    let unknown = try await compress(.source(length: nil, isReplayable: true) { ScriptedSource(["12345"]) })
    #expect(unknown.fields[.contentEncoding] == "gzip")
  }

  @Test(arguments: [
    "Content-Encoding", "Content-Range", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5",
  ])
  func someFieldsForbidCompression(name: String) async throws {
    let field = try #require(HTTPField.Name(name))
    let request = try await compress(.bytes(Bytes(Self.plain)), fields: [field: "identity"])
    #expect(request.fields == [field: "identity"])
    #expect(request.body.bytes == Bytes(Self.plain))
  }

  @Test func whatDoesNotShrinkIsSentPlain() async throws {
    for count in [1024, 65_536, 300_000] {
      let plain = noise(count)
      let request = try await compress(.bytes(Bytes(plain)))
      #expect(try await Self.isPlain(request, plain))
    }
    let nothing = try await compress(.bytes("")) { $0.compressionThreshold = 0 }
    #expect(try await Self.isPlain(nothing, []))
  }

  @Test func aRequestWithoutBodyIsNotChanged() async throws {
    let request = try await compress(.empty) { $0.compressionThreshold = 0 }
    #expect(request.body.isEmpty)
    #expect(request.fields.isEmpty)
  }

  @Test(arguments: [Int.min, 0, 1, 9, 10, Int.max])
  func everyLevelCompresses(level: Int) async throws {
    let request = try await compress(.bytes(Bytes(Self.plain)), level: level)
    let nearest = try await compress(.bytes(Bytes(Self.plain)), level: min(max(level, 1), 9))
    #expect(request.body.bytes == nearest.body.bytes)
    let bytes = try #require(request.body.bytes)
    #expect(try await decode(bytes.array, as: "gzip") == Reading(bytes: Self.plain))
  }

  @Test func chunksAreBoundedAndPulledAsTheyAreNeeded() async throws {
    let chunks = pieces(noise(500_000), of: 20_000)
    let original = ScriptedSource(chunks)
    let request = try await compress(.source(length: nil, isReplayable: false) { original })
    let source = try request.body.makeSource()
    #expect(original.pulls == 0)
    var count = 0
    while let chunk = try await source.next() {
      count += chunk.count
      #expect(chunk.count <= 65_536)
      // What zlib holds back is less than 300 KB.
      #expect(original.pulls <= (count + 300_000) / 20_000)
    }
    #expect(count > 500_000)
  }

  @Test func cancellingTheBodyCancelsItsSource() async throws {
    let original = ScriptedSource(pieces(noise(500_000), of: 20_000))
    let request = try await compress(.source(length: nil, isReplayable: false) { original })
    let source = try request.body.makeSource()
    #expect(try await source.next() != nil)
    source.cancel()
    #expect(original.isCancelled)
    await #expect(throws: CancellationError.self) { try await source.next() }
  }

  @Test func bothStagesStandSideBySide() async throws {
    let transport = HandlerTransport { request in
      let body = try await read(request.body)
      let coding = request.fields[.contentEncoding] ?? ""
      return Response(.ok, fields: [.contentEncoding: coding], body: .bytes(Bytes(body)))
    }
    let pipeline = Pipeline(over: transport) {
      ContentDecoding()
      RequestCompression()
    }
    let response = try await pipeline.send(.post("http://h/", body: .bytes(Bytes(Self.plain))))
    #expect(transport.requests.first?.fields[.contentEncoding] == "gzip")
    #expect(try await response.body.collect(upTo: 9999) == Bytes(Self.plain))
  }
}
