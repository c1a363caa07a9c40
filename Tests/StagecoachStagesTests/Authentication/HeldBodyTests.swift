import HTTPTypes
import Stagecoach
import StagecoachResilience
import TestSupport
import Testing

/// The body of a refusal while the stage waits, and where the refusal goes on to the caller.
@Suite(.timeLimit(.minutes(1))) struct HeldBodyTests {
  private static let denied = "denied"

  @Test func theRenewalOfATokenHasTheSlotOfTheRefusal() async throws {
    let clients = Log<Client>()
    let tokens = TokenSource(Token("old")) { _ in
      guard let client = clients.all.first else { throw Foreign(text: "no client") }
      let answer = try await client.send(.get("https://h/token"))
      return Token(String(decoding: try await answer.body.collect(upTo: 100)))
    }
    let transport = HandlerTransport { request in
      if request.head.path == "/token" { return Response(.ok, body: .bytes("new")) }
      return request.authorization == "Bearer new"
        ? Response(.ok) : .challenge("Bearer", body: .bytes(Bytes(Self.denied)))
    }
    let limit = ConcurrencyLimit(perOrigin: 1)
    let authentication = try Authentication(bearer: tokens, for: "https://h")
    // Its time stands still: nothing ends because somebody has waited for too long.
    let client = try Client(
      Pipeline(over: transport) {
        authentication
        limit
      },
      configuration: .init(clock: ManualTime())
    )
    clients.add(client)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<6 { group.addTask { try await client.send(.get("https://h/")).status.code } }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 6))
    #expect(limit.inFlight == 0)
  }

  /// A client whose token is refused for good, with a body.
  private static func refused(
    _ source: ScriptedSource,
    length: Int64? = nil,
    on time: ManualTime
  ) throws -> Client {
    let transport = HandlerTransport { _ in
      .challenge("Bearer", body: Response.Body(source: source, length: length))
    }
    return try Authentication(bearer: "t", for: "https://h").client(over: transport, time: time)
  }

  @Test(
    arguments: [[], [6], [3, 4], [16_384], [16_384, 1], [10_000, 10_000, 10_000]],
    [true, false]
  ) func aRefusalThatIsPassedOnKeepsItsBody(chunks: [Int], hasLength: Bool) async throws {
    let sum = try #require(HTTPField.Name("X-Sum"))
    let content = chunks.enumerated().map { index, count in
      Bytes(Array(repeating: UInt8(index + 1), count: count))
    }
    let source = ScriptedSource(chunks: content, trailers: [sum: "1"])
    let length = hasLength ? Int64(chunks.reduce(0, +)) : nil
    let client = try Self.refused(source, length: length, on: ManualTime())
    let response = try await client.send(.get("https://h/"))
    #expect(response.status == .unauthorized)
    #expect(response.body.length == length)
    let body = try await response.body.collect(upTo: 100_000)
    #expect(body == Bytes(content.flatMap { chunk in chunk.withUnsafeBytes { Array($0) } }))
    #expect(response.body.trailers == [sum: "1"])
    #expect(source.cancels == 0)
  }

  @Test func aRefusalWithoutTrailersKeepsItsBodyToo() async throws {
    let client = try Self.refused(ScriptedSource(chunks: ["den", "ied"]), on: ManualTime())
    let response = try await client.send(.get("https://h/"))
    let body = try await response.body.collect(upTo: 100)
    #expect(String(decoding: body) == Self.denied)
  }

  @Test func aSlowRefusalIsPassedOnAndReadFurther() async throws {
    let time = ManualTime()
    let source = ScriptedSource([.chunk("d"), .wait])
    let client = try Self.refused(source, on: time)
    let task = Task { try await client.send(.get("https://h/")) }
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(100))
    let response = try await task.value
    var iterator = response.body.makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first == "d")
    response.body.cancel()
    let error = await #expect(throws: ExchangeError.self) { _ = try await iterator.next() }
    #expect(error?.kind == .bodyCancelled)
    #expect(source.cancels > 0)
  }

  @Test func aRefusalWhoseBodyFailsIsPassedOnWithTheFailure() async throws {
    let source = ScriptedSource([.chunk("d"), .fail(Foreign(text: "broken"))])
    let client = try Self.refused(source, on: ManualTime())
    let response = try await client.send(.get("https://h/"))
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await response.body.collect(upTo: 100)
    }
    #expect(error.underlying as? Foreign == Foreign(text: "broken"))
  }
}
