import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct RequestBodyTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: Request.Body
    let content: Bytes
    var length: Int64?
    var isReplayable = true
    var isEmpty = false
    var inMemory: Bytes?
  }

  static let examples: [Example] = [
    Example(testDescription: "empty", body: .empty, content: "", length: 0, isEmpty: true, inMemory: ""),
    Example(testDescription: "no bytes", body: .bytes(""), content: "", length: 0, inMemory: ""),
    Example(testDescription: "bytes", body: .bytes("abc"), content: "abc", length: 3, inMemory: "abc"),
    Example(
      testDescription: "restartable, known length",
      body: .stream(length: 4) { chunks(["ab", "cd"]) },
      content: "abcd",
      length: 4
    ),
    Example(
      testDescription: "restartable",
      body: .stream(length: nil) { chunks(["ab", "cd"]) },
      content: "abcd"
    ),
    Example(
      testDescription: "once",
      body: .oneShot(chunks(["ab", "", "cd"]), length: nil),
      content: "abcd",
      isReplayable: false
    ),
    Example(
      testDescription: "once, known length",
      body: .oneShot(chunks(["abcd"]), length: 4),
      content: "abcd",
      length: 4,
      isReplayable: false
    ),
    Example(
      testDescription: "own source",
      body: .source(length: nil, isReplayable: true) { ScriptedSource(chunks: ["x"]) },
      content: "x"
    ),
  ]

  @Test(arguments: examples)
  func saysWhatItIsAndGivesItsContent(example: Example) async throws {
    #expect(example.body.length == example.length)
    #expect(example.body.isReplayable == example.isReplayable)
    #expect(example.body.isEmpty == example.isEmpty)
    #expect(example.body.bytes == example.inMemory)
    #expect(!example.body.hasTrailers)
    let source = try example.body.makeSource()
    #expect(try await read(source) == example.content)
    #expect(source.trailers == nil)
    guard example.isReplayable else { return }
    #expect(try await read(example.body) == example.content)
  }

  @Test(arguments: examples)
  func aSourceThatWasCancelledGivesNothingMore(example: Example) async throws {
    let body = example.isReplayable ? example.body : .oneShot(chunks(["x"]), length: nil)
    let source = try body.makeSource()
    source.cancel()
    source.cancel()
    #expect(((try? await source.next()) ?? nil) == nil || example.testDescription == "own source")
  }

  @Test func contentThatExistsOnceIsSentOnce() async throws {
    let body = Request.Body.oneShot(chunks(["ab"]), length: nil)
    let copy = body
    #expect(try await read(body) == "ab")
    let error = try #require(throws: ExchangeError.self) { _ = try copy.makeSource() }
    #expect(error.kind == .bodyNotReplayable)
    #expect(error.advice?.contains(".stream") == true)
  }

  @Test func aFactoryMayFailAndItsErrorPasses() async {
    let body = Request.Body.stream(length: nil) { () throws -> AsyncStream<Bytes> in throw Foreign() }
    #expect(throws: Foreign()) { _ = try body.makeSource() }
  }

  @Test(
    arguments: [
      (["abc", "d"], 3, "at least 4 bytes (declared 3)"),
      (["abc", "de", "f"], 4, "at least 5 bytes (declared 4)"),
      (["ab"], 3, "only 2 bytes (declared 3)"), ([], 1, "only 0 bytes (declared 1)"),
      (["a"], 0, "at least 1 bytes (declared 0)"),
    ] as [([Bytes], Int64, String)]
  )
  func aBodyOfAnotherLengthThanDeclaredIsRefused(list: [Bytes], declared: Int64, text: String) async throws {
    let source = ScriptedSource(chunks: list)
    let body = Request.Body.source(length: declared, isReplayable: true) { source }
    let error = try await #require(throws: ExchangeError.self) { _ = try await read(body) }
    #expect(error.kind == .requestBody)
    #expect(error.message.contains(text))
    #expect(source.cancels == 1)
  }

  @Test func neverMoreThanDeclaredIsPassedOn() async throws {
    let body = Request.Body.source(length: 3, isReplayable: true) { ScriptedSource(chunks: ["ab", "cd"]) }
    let source = try body.makeSource()
    #expect(try await source.next() == "ab")
    await #expect(throws: ExchangeError.self) { _ = try await source.next() }
  }

  @Test func trailersFollowTheLastChunk() async throws {
    let trailers: HTTPFields = [HTTPField.Name("X-Sum")!: "7"]
    for length in [nil, 2] as [Int64?] {
      let bodies: [Request.Body] = [
        .stream(length: length, trailers: { trailers }) { chunks(["ab"]) },
        .oneShot(chunks(["ab"]), length: length, trailers: { trailers }),
        .source(length: length, isReplayable: true, hasTrailers: true) {
          ScriptedSource(chunks: ["ab"], trailers: trailers)
        },
      ]
      for body in bodies {
        #expect(body.hasTrailers)
        let source = try body.makeSource()
        _ = try await read(source)
        #expect(source.trailers == trailers)
      }
    }
  }

  @Test func trailersAreMadeOnce() async throws {
    let calls = Counter()
    let body = Request.Body.oneShot(chunks(["ab"]), length: nil, trailers: { [.eTag: "\(calls.add())"] })
    let source = try body.makeSource()
    _ = try await read(source)
    for _ in 1...2 { #expect(source.trailers == [.eTag: "1"]) }
    #expect(calls.value == 1)
  }

  /// RFC 9110 6.5.1.
  @Test(arguments: [HTTPField.Name.contentLength, .transferEncoding, .authorization, .trailer, .upgrade])
  func trailersThatBelongToTheHeadAreRefused(name: HTTPField.Name) async throws {
    for length in [nil, 2] as [Int64?] {
      let body = Request.Body.oneShot(chunks(["ab"]), length: length, trailers: { [name: "1"] })
      let error = await #expect(throws: ExchangeError.self) { try await read(body) }
      #expect(error?.kind == .requestBody)
    }
  }

  @Test func undeclaredTrailersAreNotSent() async throws {
    let body = Request.Body.source(length: 2, isReplayable: true) {
      ScriptedSource(chunks: ["ab"], trailers: [.contentLength: "2"])
    }
    let source = try body.makeSource()
    #expect(try await read(source) == "ab")
    #expect(source.trailers == nil)
  }

  @Test func theSequenceIsPulledOnlyAsFarAsItIsRead() async throws {
    let pulls = Counter()
    let sequence = AsyncStream<Bytes>(unfolding: { Bytes("\(pulls.add())") })
    let source = try Request.Body.oneShot(sequence, length: nil).makeSource()
    #expect(pulls.value == 0)
    #expect(try await source.next() == "1")
    #expect(try await source.next() == "2")
    #expect(pulls.value == 2)
  }
}
