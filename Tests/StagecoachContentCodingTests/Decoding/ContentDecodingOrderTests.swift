import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import Synchronization
import Testing

/// Where content decoding belongs, as the article about the order of the stages says.
@Suite(.timeLimit(.minutes(1))) struct ContentDecodingOrderTests {
  /// A stage that looks at what passes it: coding and bytes.
  private final class Lookout: Middleware {
    private let list = Mutex<[(coding: String?, bytes: Bytes)]>([])

    var seen: [(coding: String?, bytes: Bytes)] { list.withLock { $0 } }

    func handle(_ request: Request, next: Next) async throws -> Response {
      var response = try await next(request)
      let bytes = try await response.body.collect(upTo: 9999)
      list.withLock { $0.append((response.fields[.contentEncoding], bytes)) }
      response.body = .bytes(bytes)
      return response
    }
  }

  private static func coded(_ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:]) -> Response {
    Response(
      status,
      fields: fields.merging([.contentEncoding: "gzip", .contentType: "text/plain"]),
      body: .bytes(Bytes(Vectors.gzip))
    )
  }

  /// What is above judges and keeps text: the error of a refused answer shows what the server says.
  @Test(arguments: [true, false])
  func belowValidationAnErrorShowsText(isBelow: Bool) async throws {
    let transport = HandlerTransport { _ in Self.coded(.notFound) }
    let stages: [any Middleware] =
      isBelow ? [Validation(), ContentDecoding()] : [ContentDecoding(), Validation()]
    let error = try await #require(throws: ExchangeError.self) {
      try await Pipeline(over: transport, stages: stages).send(.get("http://h/"))
    }
    #expect(error.bodyPrefix == Bytes(isBelow ? Vectors.plain : Vectors.gzip))
  }

  /// What is below sees the bytes that ETag, ranges and digests are defined on.
  @Test(arguments: [true, false])
  func whatIsBelowSeesTheBytesAsTheyCame(isBelow: Bool) async throws {
    let (transport, lookout) = (HandlerTransport { _ in Self.coded(.ok, [.eTag: "\"1\""]) }, Lookout())
    let stages: [any Middleware] = isBelow ? [ContentDecoding(), lookout] : [lookout, ContentDecoding()]
    let response = try await Pipeline(over: transport, stages: stages).send(.get("http://h/"))
    #expect(try await response.body.collect(upTo: 9999) == Bytes(Vectors.plain))
    #expect(lookout.seen.map(\.coding) == [isBelow ? "gzip" : nil])
    #expect(lookout.seen.map(\.bytes) == [Bytes(isBelow ? Vectors.gzip : Vectors.plain)])
  }

  /// Every hop is asked for codings either way, and above redirects only the last one is decoded.
  @Test(arguments: [true, false])
  func aboveRedirectsAHopIsNotDecoded(isAbove: Bool) async throws {
    let transport = HandlerTransport { request in
      request.hop < 2 ? Self.coded(.found, [.location: "/\(request.hop)"]) : Self.coded()
    }
    let decoded = Mutex(0)
    let monitor = HandlerMonitor { event in
      if case .stage(ContentDecodingEvent.started) = event.kind { decoded.withLock { $0 += 1 } }
    }
    let stages: [any Middleware] =
      isAbove ? [ContentDecoding(), Redirects()] : [Redirects(), ContentDecoding()]
    let client = try Client(
      Pipeline(over: transport, stages: stages),
      configuration: .init(monitors: [monitor])
    )
    #expect(try await client.value(for: .get("http://h/"), as: .data) == Bytes(Vectors.plain))
    #expect(transport.requests.map { $0.fields[.acceptEncoding] } == Array(repeating: builtInNames, count: 3))
    #expect(decoded.withLock { $0 } == (isAbove ? 1 : 3))
  }
}

extension HTTPFields {
  fileprivate func merging(_ others: HTTPFields) -> HTTPFields {
    var all = self
    all.append(contentsOf: others)
    return all
  }
}
