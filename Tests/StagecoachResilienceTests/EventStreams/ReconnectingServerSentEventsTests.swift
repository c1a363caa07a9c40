import HTTPTypes
import Stagecoach
import StagecoachResilience
import Synchronization
import TestSupport
import Testing

/// A clock on which every sleep is over at once, and that remembers how long each was.
private final class InstantTime: TimeSource {
  private let state = Mutex<(now: ContinuousClock.Instant, sleeps: [Duration])>((.now, []))

  var now: ContinuousClock.Instant { state.withLock { $0.now } }
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until instant: ContinuousClock.Instant) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.sleeps.append(instant - state.now)
      state.now = max(instant, state.now)
    }
  }
}

private struct FixedRandom: RandomSource {
  var bits: UInt64 = 0
  func next() -> UInt64 { bits }
}

/// Plays an answer for each connection, the last one for all further ones.
private struct Script: Sendable {
  enum Answer: Sendable {
    case stream([ScriptedSource.Step])
    case status(HTTPResponse.Status, type: String?)
    case fail(ExchangeError.Kind)
  }

  let time = InstantTime()
  let transport: HandlerTransport
  let client: Client

  init(_ answers: [Answer], random: UInt64 = 0, hasValidation: Bool = true) throws {
    let count = Counter()
    transport = HandlerTransport { _ in
      switch answers[min(count.add(), answers.count) - 1] {
      case .stream(let steps):
        Response(
          .ok,
          fields: [.contentType: "text/event-stream"],
          body: Response.Body(source: ScriptedSource(steps))
        )
      case .status(let status, let type):
        Response(status, fields: type.map { [.contentType: $0] } ?? [:], body: .bytes("data: x\n\n"))
      case .fail(let kind): throw ExchangeError(kind, "scripted")
      }
    }
    client = try Client(
      hasValidation ? .standard(over: transport) : Pipeline(over: transport, stages: []),
      configuration: .init(clock: time, randomNumberGenerator: FixedRandom(bits: random))
    )
  }

  func events(_ policy: ReconnectionPolicy = .init(), id: String? = nil) -> ReconnectingServerSentEvents {
    var request = Request.get("http://h/")
    request.fields[.lastEventID] = id
    return client.serverSentEvents(for: request, reconnecting: policy)
  }

  /// The IDs that the connections were asked to go on behind.
  var ids: [String?] { transport.requests.map { $0.fields[.lastEventID] } }
}

extension HTTPField.Name {
  fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
}

@Suite(.timeLimit(.minutes(1))) struct ReconnectingServerSentEventsTests {
  private static let reset = ExchangeError(.connectionReset, "scripted")

  @Test func goesOnBehindTheLastEvent() async throws {
    let script = try Script([
      .stream([.chunk("id: 1\ndata: a\n\n")]),
      .stream([.chunk("data: b\n\nid: 2\n\nid: 3\ndata: cut off\n")]),
      .stream([.chunk("data: c\n\nid\ndata: d\n\n")]), .status(.noContent, type: nil),
    ])
    let events = try await all(script.events())
    #expect(events.map(\.data) == ["a", "b", "c", "d"])
    #expect(events.map(\.id) == ["1", "1", "2", ""])
    #expect(script.ids == [nil, "1", "2", nil])
    #expect(script.time.sleeps == [.seconds(3), .seconds(3), .seconds(3)])
    let accepts = script.transport.requests.map { $0.fields[.accept] }
    #expect(accepts.allSatisfy { $0 == "text/event-stream" })
  }

  @Test(arguments: [true, false])
  func noContentEndsTheSequence(hasValidation: Bool) async throws {
    let script = try Script([.status(.noContent, type: nil)], hasValidation: hasValidation)
    #expect(try await all(script.events()).isEmpty)
    #expect(script.transport.requests.count == 1)
    #expect(script.time.sleeps.isEmpty)
  }

  /// Media types are compared without regard to case and parameters.
  @Test(arguments: ["text/event-stream", "Text/Event-Stream ; charset=iso-8859-1"])
  func theTypeMayHaveParameters(type: String) async throws {
    let script = try Script([.status(.ok, type: type), .status(.noContent, type: nil)])
    #expect(try await all(script.events()).map(\.data) == ["x"])
  }

  @Test func theRequestMaySayWhereToStart() async throws {
    let script = try Script([.stream([.chunk("data: a\n\n")]), .status(.noContent, type: nil)])
    #expect(try await all(script.events(id: "41")).map(\.id) == ["41"])
    #expect(script.ids == ["41", "41"])
  }

  @Test func anIDBeyondASCIIIsSentAsUTF8() async throws {
    let script = try Script([.stream([.chunk("id: ü 日\ndata: a\n\n")]), .status(.noContent, type: nil)])
    _ = try await all(script.events())
    #expect(script.ids == [nil, "ü 日"])
  }

  @Test func aTransientFailureReconnects() async throws {
    let script = try Script([
      .fail(.connectionRefused), .stream([.chunk("id: 1\ndata: a\n\ndata: half"), .fail(Self.reset)]),
      .fail(.timeout(.head)), .stream([.chunk("data: b\n\n")]), .status(.noContent, type: nil),
    ])
    #expect(try await all(script.events()).map(\.data) == ["a", "b"])
    #expect(script.ids == [nil, nil, "1", "1", "1"])
    // Doubled for a connection that brought nothing, and only for those in a row.
    #expect(script.time.sleeps == [.seconds(6), .seconds(3), .seconds(6), .seconds(3)])
  }

  @Test func theServerSetsTheReconnectionTime() async throws {
    let script = try Script([
      .stream([.chunk("retry: 20000\ndata: a\n\n")]), .stream([.chunk(":\n")]),
      .stream([.chunk("retry: 0\n")]), .status(.noContent, type: nil),
    ])
    #expect(try await all(script.events()).map(\.data) == ["a"])
    #expect(script.time.sleeps == [.seconds(20), .seconds(20), .seconds(1)])
  }

  @Test func theDelayIsLengthenedAtRandom() async throws {
    let script = try Script(
      [.stream([.chunk("data: a\n\n")]), .status(.noContent, type: nil)],
      random: 1 << 63
    )
    _ = try await all(script.events(ReconnectionPolicy(delay: .seconds(8), jitter: 0.5)))
    #expect(script.time.sleeps == [.seconds(10)])
  }

  @Test(arguments: [HTTPResponse.Status.created, .partialContent, .notFound, .serviceUnavailable])
  func anotherStatusEndsTheSequence(status: HTTPResponse.Status) async throws {
    for hasValidation in [true, false] {
      let script = try Script([.status(status, type: "text/event-stream")], hasValidation: hasValidation)
      let error = try await #require(throws: ExchangeError.self) { _ = try await all(script.events()) }
      #expect(error.kind == .status)
      #expect(script.transport.requests.count == 1)
    }
  }

  @Test(arguments: ["text/html", "text/event-streams", "x/event-stream", "text/", nil] as [String?])
  func anotherTypeEndsTheSequence(type: String?) async throws {
    for hasValidation in [true, false] {
      let script = try Script(
        [.stream([.chunk("data: a\n\n")]), .status(.ok, type: type)],
        hasValidation: hasValidation
      )
      var iterator = script.events().makeAsyncIterator()
      #expect(try await iterator.next()?.data == "a")
      let error = try await #require(throws: ExchangeError.self) { _ = try await iterator.next() }
      #expect(error.kind == .mediaType)
      #expect(try await iterator.next() == nil)
      #expect(script.transport.requests.count == 2)
    }
  }

  @Test(arguments: [
    ExchangeError.Kind.tls(.untrusted), .invalidRequest, .protocolViolation, .timeout(.total),
  ])
  func aPermanentFailureEndsTheSequence(kind: ExchangeError.Kind) async throws {
    let script = try Script([.fail(kind)])
    let error = try await #require(throws: ExchangeError.self) { _ = try await all(script.events()) }
    #expect(error.kind == kind)
    #expect(script.time.sleeps.isEmpty)
  }

  @Test(arguments: [1, 2, 5])
  func givesUpAfterSoManyFailuresInARow(attempts: Int) async throws {
    let script = try Script([.stream([.chunk("data: a\n\n")]), .fail(.connectionRefused)])
    var iterator = script.events(ReconnectionPolicy(attempts: attempts)).makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    let error = try await #require(throws: ExchangeError.self) { _ = try await iterator.next() }
    #expect(error.kind == .connectionRefused)
    #expect(error.message == "scripted")
    #expect(script.transport.requests.count == 1 + attempts)
    #expect(try await iterator.next() == nil)
  }

  @Test func givesUpOnConnectionsThatEndImmediately() async throws {
    let script = try Script([.stream([])])
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await all(script.events(ReconnectionPolicy(attempts: 4, delay: .seconds(1))))
    }
    #expect(error.kind == .policy)
    #expect(error.stage == "ServerSentEvents")
    #expect(error.request?.path == "/")
    #expect(error.request?.headerFields[.accept] == "text/event-stream")
    #expect(script.transport.requests.count == 4)
    #expect(script.time.sleeps == [.seconds(2), .seconds(4), .seconds(8)])
  }

  /// A comment shows that the server is there.
  @Test func aQuietServerIsNotGivenUp() async throws {
    let script = try Script(
      [Script.Answer](repeating: .stream([.chunk(":\n")]), count: 50) + [.status(.noContent, type: nil)]
    )
    #expect(try await all(script.events(ReconnectionPolicy(attempts: 2))).isEmpty)
    #expect(script.transport.requests.count == 51)
  }

  @Test func anEventThatIsTooLargeFails() async throws {
    let script = try Script([.stream([.chunk("data: 1234567890\n\n")])])
    let request = Request.get("http://h/").with(\.elementLimit, 10)
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await all(script.client.serverSentEvents(for: request))
    }
    #expect(error.kind == .limit(.structure))
    #expect(script.transport.requests.count == 1)
  }

  @Test func nothingIsSentBeforeTheFirstEventIsAskedFor() throws {
    let script = try Script([.fail(.connectionRefused)])
    withExtendedLifetime(script.events().makeAsyncIterator()) {}
    #expect(script.transport.requests.isEmpty)
  }

  @Test func leavingTheLoopEndsTheConnection() async throws {
    let source = ScriptedSource([.chunk("data: a\n\n"), .wait])
    let client = try Client(
      over: HandlerTransport(recordLimit: 0) { _ in
        Response(.ok, fields: [.contentType: "text/event-stream"], body: Response.Body(source: source))
      }
    )
    let events = client.serverSentEvents(for: .get("http://h/"))
    for try await _ in events { break }
    #expect(source.cancels == 1)
    withExtendedLifetime(events) {}
  }

  @Test func waitsOnTheClockOfTheClient() async throws {
    let time = ManualTime()
    let transport = HandlerTransport { request in
      Response(
        .ok,
        fields: [.contentType: "text/event-stream"],
        body: .bytes(request.fields[.lastEventID] == nil ? "retry: 5000\nid: 1\ndata: a\n\n" : "data: b\n\n")
      )
    }
    let client = try Client(
      over: transport,
      configuration: .init(clock: time, randomNumberGenerator: FixedRandom())
    )
    let events = client.serverSentEvents(for: .get("http://h/"))
    let task = Task {
      var iterator = events.makeAsyncIterator()
      return [try await iterator.next()?.data, try await iterator.next()?.data]
    }
    await time.sleepers(atLeast: 1)
    #expect(transport.requests.count == 1)
    time.advance(by: .milliseconds(4999))
    await time.sleepers(atLeast: 1)
    #expect(transport.requests.count == 1)
    time.advance(by: .milliseconds(1))
    #expect(try await task.value == ["a", "b"])
    #expect(transport.requests.count == 2)
  }

  @Test func cancellingTheTaskEndsTheWait() async throws {
    let time = ManualTime()
    let transport = HandlerTransport { _ in throw ExchangeError(.connectionRefused, "scripted") }
    let client = try Client(over: transport, configuration: .init(clock: time))
    let task = Task { try await all(client.serverSentEvents(for: .get("http://h/"))) }
    await time.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(transport.requests.count == 1)
  }

  @Test func aClientThatIsShutDownEndsTheSequence() async throws {
    let script = try Script([.stream([.chunk("data: a\n\n")])])
    var iterator = script.events().makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    await script.client.shutdown()
    let error = try await #require(throws: ExchangeError.self) { _ = try await iterator.next() }
    #expect(error.kind == .shutdown)
  }
}
