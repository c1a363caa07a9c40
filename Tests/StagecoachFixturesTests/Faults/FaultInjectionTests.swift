import HTTPTypes
import Stagecoach
import StagecoachFixtures
import Synchronization
import Testing

@Suite struct FaultInjectionTests {
  private let transport = HandlerTransport { _ in Response(.ok, body: .bytes(Bytes("0123456789"))) }

  private func client(_ plan: FaultPlan, time: any TimeSource = SystemTime()) throws -> Client {
    try Client(
      bare(Pipeline(over: transport) { FaultInjection(plan) }),
      base: "http://test/",
      configuration: .init(clock: time)
    )
  }

  private func failure(_ fault: Fault, _ request: Request = .get("/")) async throws -> (ExchangeError, String)
  {
    var received = ""
    do {
      let response = try await client(.always(fault)).send(request)
      for try await chunk in response.body { received += String(decoding: chunk) }
    } catch let error as ExchangeError {
      return (error, received)
    }
    Issue.record("\(fault) did nothing")
    throw CancellationError()
  }

  @Test(
    arguments: [
      (.refuse, .connectionRefused, ""), (.unresolved, .nameResolution, ""),
      (.tls(.expired), .tls(.expired), ""),
      (.resetBeforeHead, .connectionReset, ""), (.garbage, .protocolViolation, ""),
      (.reset(afterBytes: 4), .connectionReset, "0123"), (.reset(afterBytes: 0), .connectionReset, ""),
      (.truncate(afterBytes: 9), .incompleteBody, "012345678"),
      (.truncate(afterBytes: 100), .incompleteBody, "0123456789"),
    ] as [(Fault, ExchangeError.Kind, String)]
  )
  func aFaultLooksLikeAnErrorOfATransport(fault: Fault, kind: ExchangeError.Kind, received: String)
    async throws
  {
    let (error, text) = try await failure(fault)
    #expect(error.kind == kind)
    #expect(text == received)
    #expect(error.stage == "FaultInjection")
    let isUnsent = [.connectionRefused, .nameResolution, .tls(.expired)].contains(kind)
    if isUnsent {
      #expect(error.requestMayHaveBeenSent == false)
      #expect(transport.requests.isEmpty)
    } else {
      #expect(transport.requests.count == 1)
    }
  }

  @Test(arguments: [Fault.stallBeforeHead, .stall(afterBytes: 3)])
  func aStallEndsWithTheTimeoutOfTheExchange(fault: Fault) async throws {
    let time = ManualTime()
    let client = try client(.always(fault), time: time)
    let call = Task { try await client.send(.get("/")).body.collect(upTo: 100) }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(29))
    #expect(!call.isCancelled)
    time.advance(by: .seconds(2))
    let error = await #expect(throws: ExchangeError.self) { try await call.value }
    #expect(error?.kind == (fault == .stallBeforeHead ? .timeout(.head) : .timeout(.idle)))
  }

  @Test func aStallCanBeCancelled() async throws {
    let client = try client(.always(.stallBeforeHead))
    let call = Task { try await client.send(.get("/")) }
    try await Task.sleep(for: .milliseconds(50))
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test func latencyBandwidthAndASlowEndTakeTheirTime() async throws {
    let time = ManualTime()
    let client = try client(
      .always(.latency(.seconds(5)), .bandwidth(bytesPerSecond: 5), .slowClose(.seconds(7))),
      time: time
    )
    let start = time.now
    let call = Task { try await client.send(.get("/")).body.collect(upTo: 100) }
    let ticking = Task {
      while !Task.isCancelled {
        await time.sleepers(atLeast: 1)
        time.advance(by: .milliseconds(100))
      }
    }
    #expect(String(decoding: try await call.value) == "0123456789")
    ticking.cancel()
    // Ten bytes at five a second: the last waits for those before it.
    #expect(time.now - start >= .seconds(5) + .milliseconds(1800) + .seconds(7))
    time.advance(by: .seconds(1))
  }

  @Test func aStatusIsAnsweredWithoutThePeer() async throws {
    let pipeline = Pipeline(over: transport) { FaultInjection(.always(.status(503, retryAfter: 2))) }
    let response = try await pipeline.send(.get("http://test/"))
    #expect(response.status.code == 503)
    #expect(response.fields[.retryAfter] == "2")
    #expect(transport.requests.isEmpty)
  }

  @Test func aSequenceIsPlayedOnce() async throws {
    let client = try client(.sequence([.refuse, nil, .garbage]))
    var kinds: [ExchangeError.Kind?] = []
    for _ in 0..<5 {
      do {
        _ = try await client.send(.get("/"))
        kinds.append(nil)
      } catch let error as ExchangeError {
        kinds.append(error.kind)
      }
    }
    #expect(kinds == [.connectionRefused, nil, .protocolViolation, nil, nil])
  }

  @Test func equalSeedsGiveEqualFaults() async throws {
    func outcomes(seed: UInt64) async throws -> [Bool] {
      let client = try client(.random(0.3, of: [.refuse, .garbage], seed: seed))
      var failed: [Bool] = []
      for _ in 0..<300 { failed.append((try? await client.send(.get("/"))) == nil) }
      return failed
    }
    let first = try await outcomes(seed: 1)
    #expect(try await outcomes(seed: 1) == first)
    #expect(try await outcomes(seed: 2) != first)
    let share = Double(first.count { $0 }) / 300
    #expect(share > 0.2 && share < 0.4)
  }

  @Test func faultsAreReportedAsEvents() async throws {
    final class Monitor: EventMonitor {
      let faults = Mutex<[Fault]>([])
      func receive(_ event: Event) {
        guard case .stage(let custom) = event.kind, let happened = custom as? FaultHappened else { return }
        faults.withLock { $0.append(happened.fault) }
      }
    }
    let monitor = Monitor()
    let pipeline = Pipeline(over: transport) { FaultInjection(.always(.refuse)) }
    let client = try Client(bare(pipeline), base: "http://test/", configuration: .init(monitors: [monitor]))
    _ = try? await client.send(.get("/"))
    #expect(monitor.faults.withLock { $0 } == [.refuse])
  }

  /// The body that the stage makes of another one is not a second one: its bytes would be counted twice.
  @Test(
    arguments: [
      (.bandwidth(bytesPerSecond: 1_000_000), [10], 0), (.slowClose(.zero), [10], 0),
      (.reset(afterBytes: 4), [], 1), (.truncate(afterBytes: 9), [], 1),
    ] as [(Fault, [Int64], Int)]
  )
  func theEndOfTheBodyIsReportedOnce(fault: Fault, finished: [Int64], failures: Int) async throws {
    let monitor = BodyEvents()
    let pipeline = Pipeline(over: transport) { FaultInjection(.always(fault)) }
    let client = try Client(bare(pipeline), base: "http://test/", configuration: .init(monitors: [monitor]))
    let response = try await client.send(.get("/"))
    #expect(response.body.length == 10)
    _ = try? await response.body.collect(upTo: 100)
    #expect(monitor.finished == finished)
    #expect(monitor.failures == failures)
  }
}
