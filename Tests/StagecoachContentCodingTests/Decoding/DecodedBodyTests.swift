import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import Testing

private struct Foreign: Error {}

@Suite(.timeLimit(.minutes(1))) struct DecodedBodyTests {
  private static func response(_ source: ScriptedSource, length: Int64? = nil) async throws -> Response {
    let body = Response.Body(source: source, length: length)
    return try await respond(with: Response(.ok, fields: [.contentEncoding: "gzip"], body: body))
  }

  @Test func isPulledOnlyAsFarAsItIsRead() async throws {
    let plain = noise(100_000)
    let chunks = pieces(try await gzip(plain), of: 10_000)
    let source = ScriptedSource(chunks)
    let response = try await Self.response(source)
    #expect(source.pulls == 0)
    var iterator = response.body.makeAsyncIterator()
    var count = 0
    // Noise does not shrink: no chunk of input can give much more than itself.
    while let chunk = try await iterator.next() {
      count += chunk.count
      #expect(source.pulls <= count / 10_000 + 2)
    }
    #expect(count == plain.count)
    #expect(source.pulls == chunks.count + 1)
  }

  @Test func flushedDataIsGivenImmediately() async throws {
    // A stored block that is not the last is complete where it ends.
    let block: [UInt8] = [0, 3, 0, 0xFC, 0xFF] + Array("abc".utf8)
    let source = ScriptedSource([Bytes(block), Bytes(block), Bytes(stored([]))])
    let body = Response.Body(source: source)
    let response = try await respond(with: Response(.ok, fields: [.contentEncoding: "deflate"], body: body))
    var iterator = response.body.makeAsyncIterator()
    for pulls in 1...2 {
      #expect(try await iterator.next() == "abc")
      #expect(source.pulls == pulls)
    }
    #expect(try await iterator.next() == nil)
  }

  @Test func trailersOfTheSourcePass() async throws {
    let trailers: HTTPFields = [.server: "s"]
    let source = ScriptedSource(pieces(Vectors.gzip, of: 5), trailers: trailers)
    let response = try await Self.response(source)
    #expect(response.body.trailers == nil)
    #expect(try await response.body.collect(upTo: 9999) == Bytes(Vectors.plain))
    #expect(response.body.trailers == trailers)
    #expect(!source.isCancelled)
  }

  @Test func droppingTheBodyCancelsItsSource() async throws {
    let unread = ScriptedSource([Bytes(Vectors.gzip)])
    _ = try await Self.response(unread)
    #expect(unread.isCancelled)
    let begun = ScriptedSource(pieces(Vectors.gzip, of: 50))
    do {
      var iterator = try await Self.response(begun).body.makeAsyncIterator()
      #expect(try await iterator.next() != nil)
      #expect(!begun.isCancelled)
    }
    #expect(begun.isCancelled)
  }

  @Test func cancellingTheBodyCancelsItsSource() async throws {
    let source = ScriptedSource(pieces(Vectors.gzip, of: 50))
    let response = try await Self.response(source)
    var iterator = response.body.makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    response.body.cancel()
    #expect(source.isCancelled)
    let error = try await #require(throws: ExchangeError.self) { try await iterator.next() }
    #expect(error.kind == .bodyCancelled)
  }

  @Test func anErrorCancelsTheSource() async throws {
    let source = ScriptedSource(["garbage", "more"])
    let response = try await Self.response(source)
    let error = try await #require(throws: ExchangeError.self) { try await response.body.collect(upTo: 99) }
    #expect(error.kind == .contentCoding(.malformed))
    #expect(error.stage == "ContentDecoding")
    #expect(source.isCancelled)
    #expect(source.pulls == 1)
  }

  @Test func aFailureOfTheSourceStaysItsOwn() async throws {
    let source = ScriptedSource(
      [Bytes(Vectors.gzip.prefix(50))],
      failure: ExchangeError(.connectionReset, "reset")
    )
    let response = try await Self.response(source)
    let error = try await #require(throws: ExchangeError.self) { try await response.body.collect(upTo: 9999) }
    #expect(error.kind == .connectionReset)
    #expect(error.stage == "HandlerTransport")
    let foreign = try await Self.response(ScriptedSource([], failure: Foreign()))
    let wrapped = try await #require(throws: ExchangeError.self) { try await foreign.body.collect(upTo: 9) }
    #expect(wrapped.underlying is Foreign)
  }

  @Test func aCancelledTaskStopsReading() async throws {
    let response = try await Self.response(ScriptedSource(pieces(Vectors.gzip, of: 1)))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await response.body.collect(upTo: 9999)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
