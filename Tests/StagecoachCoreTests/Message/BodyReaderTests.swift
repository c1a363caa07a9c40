import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// A body that is made of another one.
@Suite struct BodyReaderTests {
  private final class Uppercased: BodySource {
    private let reader: BodyReader

    init(_ body: Response.Body) { reader = BodyReader(body) }

    func next() async throws -> Bytes? {
      try await reader.next().map { Bytes(String(decoding: $0).uppercased()) }
    }

    var trailers: HTTPFields? { reader.trailers }
    func cancel() { reader.cancel() }
  }

  private static func body(_ chunks: [String], trailers: HTTPFields? = nil) -> Response.Body {
    Response.Body(
      AsyncStream { stream in
        for chunk in chunks { stream.yield(Bytes(chunk)) }
        stream.finish()
      },
      trailers: { trailers }
    )
  }

  @Test func everyChunkPassesAndTheTrailersFollow() async throws {
    let name = try #require(HTTPField.Name("X-Sum"))
    let body = Response.Body(transforming: Uppercased(Self.body(["ab", "c", "d"], trailers: [name: "3"])))
    var chunks: [String] = []
    for try await chunk in body { chunks.append(String(decoding: chunk)) }
    #expect(chunks == ["AB", "C", "D"])
    #expect(body.trailers == [name: "3"])
  }

  @Test func readsBodiesOfBytesAndEmptyBodies() async throws {
    let bytes = BodyReader(.bytes(Bytes("ab")))
    #expect(try await bytes.next() == Bytes("ab"))
    #expect(try await bytes.next() == nil)
    #expect(try await BodyReader(.empty).next() == nil)
  }

  @Test func cancellingEndsTheOtherBody() async throws {
    let inner = Self.body(["ab", "c"])
    var end: BodyEnd?
    let ended = AsyncStream<BodyEnd>.makeStream()
    var observed = inner
    observed.onEnd { ended.continuation.yield($0) }
    let outer = Response.Body(transforming: Uppercased(observed))
    outer.cancel()
    for await value in ended.stream {
      end = value
      break
    }
    if case .finished = end { Issue.record("the inner body was read to its end") }
    await #expect(throws: ExchangeError.self) { try await outer.collect(upTo: 10) }
  }

  @Test func aBodyIsReadOnce() async throws {
    let body = Self.body(["ab"])
    let first = BodyReader(body)
    let second = BodyReader(body)
    #expect(try await first.next() == Bytes("ab"))
    await #expect(throws: ExchangeError.self) { try await second.next() }
  }
}
