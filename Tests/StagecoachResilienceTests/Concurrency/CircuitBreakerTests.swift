import HTTPTypes
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachResilience

@Suite(.timeLimit(.minutes(1))) struct CircuitBreakerTests {
  /// What an origin does with a request.
  enum Answer: Sendable {
    case status(Int)
    case error(ExchangeError.Kind)
    case cancelled
    case brokenBody
    /// The body is dropped unread.
    case dropped
  }

  /// A breaker, its clock and an origin that does as the test says.
  private struct Bench {
    let time = ManualTime()
    let probe = EventProbe()
    let breaker: CircuitBreaker
    let calls = Counter()
    let random: any RandomSource

    init(_ settings: CircuitBreaker.Settings = .init(), originLimit: Int = 1024, seed: UInt64 = 1) {
      breaker = CircuitBreaker(settings, originLimit: originLimit)
      random = SeededRandom(seed: seed)
    }

    /// Sends a request and reads its response.
    @discardableResult
    func send(_ answer: Answer, to url: String = "http://h/") async -> ExchangeError.Kind? {
      let pipeline = Pipeline(
        over: HandlerTransport { _ in
          calls.add()
          switch answer {
          case .status(let code): return Response(HTTPResponse.Status(code: code), body: .bytes("x"))
          case .error(let kind): throw ExchangeError(kind, "failed")
          case .cancelled: throw CancellationError()
          case .dropped: return Response(.ok, body: .bytes("x"))
          case .brokenBody:
            let source = ScriptedSource([.chunk("x"), .fail(ExchangeError(.incompleteBody, "cut off"))])
            return Response(.ok, body: Response.Body(source: source))
          }
        }
      ) { breaker }
      do {
        let response = try await pipeline.send(.observed(.get, url, by: probe, on: time, random: random))
        if case .dropped = answer { return nil }
        _ = try await response.body.collect(upTo: 10)
        return nil
      } catch {
        return (error as? ExchangeError)?.kind
      }
    }

    func send(_ answer: Answer, times: Int) async {
      for _ in 0..<times { await send(answer) }
    }

    func state(of url: String = "http://h/") throws -> CircuitBreaker.State {
      breaker.state(of: try TargetURI(parsing: url).origin)
    }

    var isOpen: Bool {
      get throws { if case .open = try state() { true } else { false } }
    }
  }

  @Test(
    "9.1 circuit breaker: half of at least 20 calls in 10 s opens",
    arguments: [
      (19, 0, false), (20, 0, true), (10, 10, true), (9, 11, false), (15, 15, true), (14, 16, false),
    ]
  )
  func opensIfHalfOfTwentyCallsFail(failures: Int, successes: Int, opens: Bool) async throws {
    let bench = Bench()
    await bench.send(.status(200), times: successes)
    await bench.send(.status(503), times: failures)
    #expect(try bench.isOpen == opens)
  }

  @Test("9.1 circuit breaker: calls older than 10 s do not count")
  func theWindowSlides() async throws {
    let bench = Bench()
    await bench.send(.status(503), times: 19)
    bench.time.advance(by: .seconds(10))
    await bench.send(.status(503), times: 19)
    #expect(try bench.state() == .closed)
    bench.time.advance(by: .seconds(8))
    await bench.send(.status(503))
    #expect(try bench.isOpen)
  }

  @Test(
    "9.1 circuit breaker: what is a failure",
    arguments: [
      (Answer.status(500), true), (.status(502), true), (.status(599), true), (.status(501), false),
      (.status(505), false), (.status(200), false), (.status(301), false), (.error(.nameResolution), true),
      (.error(.connectionFailed), true), (.error(.connectionReset), true), (.error(.timeout(.connect)), true),
      (.error(.timeout(.head)), true), (.error(.timeout(.idle)), true), (.error(.tls(.handshake)), true),
      (.brokenBody, true), (.dropped, false),
    ]
  )
  func countsOnlyFailuresOfTheServer(answer: Answer, opens: Bool) async throws {
    let bench = Bench()
    await bench.send(answer, times: 20)
    #expect(try bench.isOpen == opens)
    #expect(bench.calls.value == 20)
  }

  @Test(
    "9.1 circuit breaker: 4xx, 429, cancellations and failures of this side do not count",
    arguments: [
      Answer.status(400), .status(404), .status(429), .cancelled, .error(.timeout(.pool)),
      .error(.tls(.untrusted)),
      .error(.limit(.responseHead)), .error(.invalidRequest),
    ]
  )
  func doesNotCountClientErrorsAndCancellations(answer: Answer) async throws {
    let bench = Bench()
    await bench.send(answer, times: 30)
    #expect(try bench.state() == .closed)
    // Neither as failures nor as calls.
    await bench.send(.status(503), times: 19)
    #expect(try bench.state() == .closed)
    await bench.send(.status(503))
    #expect(try bench.isOpen)
  }

  @Test("9.1 circuit breaker: 5 refused connections in a row open")
  func fiveRefusedConnectionsOpenTheCircuit() async throws {
    let bench = Bench()
    await bench.send(.error(.connectionRefused), times: 4)
    await bench.send(.status(200))
    await bench.send(.error(.connectionRefused), times: 4)
    #expect(try bench.state() == .closed)
    // What says nothing does not interrupt the row.
    await bench.send(.cancelled)
    await bench.send(.error(.connectionRefused))
    #expect(try bench.isOpen)
    #expect(bench.probe.words.last?.contains("5 consecutive connections were refused") == true)
  }

  @Test("9.1 circuit breaker: rejection is its own error, retryable after openUntil")
  func anOpenCircuitRejectsWithARetryableError() async throws {
    let bench = Bench()
    await bench.send(.error(.connectionRefused), times: 5)
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok) }) { bench.breaker }
    let error = try await #require(throws: ExchangeError.self) {
      try await pipeline.send(.observed(.get, "http://h/", by: bench.probe, on: bench.time))
    }
    #expect(error.kind == .circuitOpen)
    #expect(error.kind.description == "circuitOpen")
    #expect(error.isTransient)
    #expect(error.requestMayHaveBeenSent == false)
    #expect(error.stage == "CircuitBreaker")
    #expect(
      bench.probe.words.last?.contains("circuit of http://h is open: request refused, retry in 5") == true
    )
    let circuit = try #require(error.underlying as? CircuitOpen)
    #expect(circuit.openUntil == bench.time.now.advanced(by: circuit.retryAfter))
    #expect(circuit.retryAfter >= .seconds(5))
    #expect(circuit.retryAfter <= .milliseconds(5500))
    #expect(circuit.origin.description == "http://h")
    #expect(try bench.state() == .open(until: circuit.openUntil))
    // Just before the instant it is open, and at it a request goes through.
    bench.time.advance(by: circuit.retryAfter - .nanoseconds(1))
    #expect(await bench.send(.status(200)) == .circuitOpen)
    bench.time.advance(by: .nanoseconds(1))
    #expect(await bench.send(.status(200)) == nil)
    #expect(try bench.state() == .halfOpen)
  }

  @Test("9.1 circuit breaker: open 5 s doubling to 60 s with jitter")
  func openDurationsDouble() async throws {
    let bench = Bench()
    await bench.send(.error(.connectionRefused), times: 5)
    var durations: [Duration] = []
    for _ in 0..<6 {
      guard case .open(let until) = try bench.state() else {
        Issue.record("not open")
        return
      }
      durations.append(until - bench.time.now)
      bench.time.advance(by: until - bench.time.now)
      await bench.send(.status(500))
    }
    for (duration, base) in zip(durations, [5, 10, 20, 40, 60, 60]) {
      #expect(duration >= .seconds(base))
      #expect(duration <= .seconds(base) * 1.1)
    }
    // Chance, but the chance of the test.
    #expect(durations[4] != durations[5])
    #expect(bench.probe.words.filter { $0.contains("the probe failed") }.count == 6)
  }

  @Test("9.1 circuit breaker: closed by good probes, it begins at 5 s again")
  func closingResetsTheDuration() async throws {
    let bench = Bench()
    for opensAgain in [false, true] {
      await bench.send(.error(.connectionRefused), times: 5)
      for base in [5, 10] {
        guard case .open(let until) = try bench.state() else {
          Issue.record("not open")
          return
        }
        let duration = until - bench.time.now
        #expect(duration >= .seconds(base))
        #expect(duration <= .seconds(base) * 1.1)
        bench.time.advance(by: duration)
        // The first probe fails, then three are good.
        if base == 5 { await bench.send(.status(500)) }
      }
      await bench.send(.status(200), times: 3)
      #expect(try bench.state() == .closed, "\(opensAgain)")
    }
  }

  @Test("9.1 circuit breaker: 3 good probes close, and a failed one opens")
  func threeGoodProbesCloseAndAFailedOneOpens() async throws {
    let bench = Bench()
    func openAndWait() async {
      await bench.send(.error(.connectionRefused), times: 5)
      bench.time.advance(by: .seconds(6))
    }
    await openAndWait()
    await bench.send(.status(200), times: 2)
    #expect(try bench.state() == .halfOpen)
    // Says nothing, and is no hindrance to the next probe.
    await bench.send(.cancelled)
    await bench.send(.status(404))
    #expect(try bench.state() == .halfOpen)
    await bench.send(.status(200))
    #expect(try bench.state() == .closed)
    #expect(
      bench.probe.words.suffix(2) == [
        "circuitBreaker(circuit of http://h half open: one request at a time passes)",
        "circuitBreaker(circuit of http://h closed)",
      ]
    )
    await openAndWait()
    await bench.send(.status(200), times: 2)
    await bench.send(.status(500))
    #expect(try bench.isOpen)
    bench.time.advance(by: .seconds(22))
    // A probe whose body breaks was no good one.
    await bench.send(.brokenBody)
    #expect(try bench.isOpen)
  }

  @Test("9.1 circuit breaker: half open, one probe at a time")
  func aHalfOpenCircuitLetsOneProbePass() async throws {
    let bench = Bench()
    await bench.send(.error(.connectionRefused), times: 5)
    bench.time.advance(by: .seconds(6))
    let gate = Signal()
    let pipeline = Pipeline(
      over: HandlerTransport { _ in
        await gate.wait()
        return Response(.ok)
      }
    ) { bench.breaker }
    let first = Task {
      try await pipeline.send(.observed(.get, "http://h/", by: bench.probe, on: bench.time))
    }
    await bench.probe.wait(for: "circuitBreaker(circuit of http://h half open")
    let error = try await #require(throws: ExchangeError.self) {
      try await pipeline.send(.observed(.get, "http://h/", by: bench.probe, on: bench.time))
    }
    #expect((error.underlying as? CircuitOpen)?.retryAfter == .seconds(1))
    gate.set()
    _ = try await first.value
    #expect(await bench.send(.status(200)) == nil)
  }

  @Test func callsBegunBeforeTheOpeningDoNotCountAsProbes() async throws {
    let bench = Bench()
    let gate = Signal()
    let pipeline = Pipeline(
      over: HandlerTransport { _ in
        await gate.wait()
        throw ExchangeError(.connectionReset, "reset")
      }
    ) { bench.breaker }
    let late = Task { try await pipeline.send(.observed(.get, "http://h/", by: bench.probe, on: bench.time)) }
    await bench.probe.wait(for: "stageEntered(HandlerTransport)")
    await bench.send(.error(.connectionRefused), times: 5)
    bench.time.advance(by: .seconds(6))
    await bench.send(.status(200))
    gate.set()
    _ = try? await late.value
    #expect(try bench.state() == .halfOpen)
  }

  @Test("9.1 circuit breaker: per origin")
  func originsAreApart() async throws {
    let bench = Bench()
    await bench.send(.error(.connectionRefused), times: 5)
    #expect(await bench.send(.status(200)) == .circuitOpen)
    #expect(await bench.send(.status(200), to: "http://H:80/other") == .circuitOpen)
    #expect(await bench.send(.status(200), to: "https://h/") == nil)
    #expect(await bench.send(.status(200), to: "http://h:8080/") == nil)
    #expect(await bench.send(.status(200), to: "http://other/") == nil)
  }

  @Test func aRequestMayBypassTheBreaker() async throws {
    let bench = Bench()
    await bench.send(.error(.connectionRefused), times: 5)
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok) }) { bench.breaker }
    var request = Request.observed(.get, "http://h/", by: bench.probe, on: bench.time)
    request.options.usesCircuitBreaker = false
    #expect(try await pipeline.send(request).status == .ok)
    #expect(try bench.isOpen)
  }

  @Test func rememberedOriginsAreBounded() async throws {
    let bench = Bench(originLimit: 4)
    await bench.send(.error(.connectionRefused), times: 5)
    for number in 0..<3 { await bench.send(.status(200), to: "http://o\(number)/") }
    #expect(try bench.isOpen)
    // Asked for, it stays.
    #expect(await bench.send(.status(200)) == .circuitOpen)
    for number in 3..<5 { await bench.send(.status(200), to: "http://o\(number)/") }
    #expect(try bench.isOpen)
    for number in 5..<9 { await bench.send(.status(200), to: "http://o\(number)/") }
    #expect(try bench.state() == .closed)
  }

  @Test func settingsThatMakeNoSenseDoNoHarm() async throws {
    var settings = CircuitBreaker.Settings()
    settings.window = .zero
    settings.openDuration = .seconds(-1)
    settings.maximumOpenDuration = .seconds(-1)
    settings.minimumCalls = -1
    settings.goodProbes = 0
    let bench = Bench(settings, originLimit: -1)
    for _ in 0..<3 {
      await bench.send(.status(500))
      await bench.send(.status(200))
    }
    #expect(bench.calls.value == 6)
  }
}
