import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachResilience

@Suite(.timeLimit(.minutes(2))) struct ConcurrencyLimitTests {
  /// A stage over a transport that answers with bodies of one chunk.
  private static func pipeline(_ limit: ConcurrencyLimit, _ version: HTTPVersion? = nil) -> Pipeline {
    Pipeline(
      over: HandlerTransport { _ in
        Response(head: HTTPResponse(status: .ok), body: .bytes("x"), version: version)
      }
    ) {
      limit
    }
  }

  enum Ending: CaseIterable {
    case read, empty, cancelled, dropped, bodyFailed, failed, transportCancelled
  }

  @Test(arguments: Ending.allCases)
  func aSlotIsHeldUntilTheBodyHasEnded(ending: Ending) async throws {
    let limit = ConcurrencyLimit(perClient: 1)
    let transport = HandlerTransport { _ in
      switch ending {
      case .failed: throw ExchangeError(.connectionReset, "reset")
      case .transportCancelled: throw CancellationError()
      case .empty: return Response(.noContent)
      case .bodyFailed: return Response(.ok, body: Response.Body(source: ScriptedSource([.fail(Foreign())])))
      default: return Response(.ok, body: .bytes("abc"))
      }
    }
    let pipeline = Pipeline(over: transport) { limit }
    do {
      let response = try? await pipeline.send(.get("http://h/"))
      switch ending {
      case .failed, .transportCancelled:
        #expect(response == nil)
      case .empty: #expect(response != nil)
      default:
        #expect(limit.inFlight == 1)
        switch ending {
        case .read, .bodyFailed: _ = try? await response?.body.collect(upTo: 10)
        case .cancelled: response?.body.cancel()
        default: break
        }
      }
      if ending != .dropped { #expect(limit.inFlight == 0) }
    }
    #expect(limit.inFlight == 0)
    #expect(limit.waiting == 0)
  }

  @Test func theNextGoesWhenABodyHasEnded() async throws {
    let probe = EventProbe()
    let time = ManualTime()
    let pipeline = Self.pipeline(ConcurrencyLimit(perOrigin: 1))
    let first = try await pipeline.send(.observed(.get, "http://h/1", by: probe, on: time))
    // Another origin has slots of its own.
    _ = try await pipeline.send(.observed(.get, "http://other/", by: probe, on: time)).body.collect(upTo: 10)
    let second = Task {
      try await pipeline.send(.observed(.get, "http://h/2", by: probe, on: time)).body.collect(upTo: 10)
    }
    await probe.wait(for: "concurrency(waiting")
    time.advance(by: .milliseconds(1500))
    _ = try await first.body.collect(upTo: 10)
    _ = try await second.value
    #expect(
      probe.words == [
        "concurrency(waiting for a slot, position 1, priority normal)", "concurrency(got a slot after 1.5 s)",
      ]
    )
  }

  @Test func waitingEndsWithThePoolTimeout() async throws {
    let probe = EventProbe()
    let time = ManualTime()
    let limit = ConcurrencyLimit(perOrigin: 1)
    let pipeline = Self.pipeline(limit)
    let first = try await pipeline.send(.observed(.get, "http://h/1", by: probe, on: time))
    let second = Task {
      var request = Request.observed(.get, "http://h/2", by: probe, on: time)
      request.options.poolTimeout = .seconds(7)
      return try await pipeline.send(request)
    }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(7))
    let error = try await #require(throws: ExchangeError.self) { try await second.value }
    #expect(error.kind == .timeout(.pool))
    #expect(error.stage == "ConcurrencyLimit")
    #expect(error.requestMayHaveBeenSent == false)
    #expect(error.limit?.option == "poolTimeout")
    #expect(
      error.message
        == "no slot was available within 7 s: 1 of 1 requests in flight to http://h, 1 of 64 in total"
    )
    #expect(probe.words.last == "concurrency(no slot: timeout.pool)")
    #expect(limit.waiting == 0)
    first.body.cancel()
    #expect(limit.inFlight == 0)
  }

  @Test func aWaitWithoutLimitStartsNoTimer() async throws {
    let probe = EventProbe()
    let time = ManualTime()
    let pipeline = Self.pipeline(ConcurrencyLimit(perOrigin: 1))
    let first = try await pipeline.send(.observed(.get, "http://h/1", by: probe, on: time))
    let second = Task {
      var request = Request.observed(.get, "http://h/2", by: probe, on: time)
      request.options.poolTimeout = nil
      return try await pipeline.send(request).status
    }
    await probe.wait(for: "concurrency(waiting")
    time.advance(by: .seconds(86_400))
    first.body.cancel()
    #expect(try await second.value == .ok)
  }

  @Test func aFullQueueRefuses() async throws {
    let probe = EventProbe()
    let limit = ConcurrencyLimit(perOrigin: 1, queueLimit: 0)
    let pipeline = Self.pipeline(limit)
    let first = try await pipeline.send(.observed(.get, "http://h/1", by: probe))
    let error = try await #require(throws: ExchangeError.self) {
      try await pipeline.send(.observed(.get, "http://h/2", by: probe))
    }
    #expect(error.kind == .limit(.queue))
    #expect(error.isTransient)
    #expect(probe.words == ["concurrency(no slot: limit.queue)"])
    first.body.cancel()
    #expect(limit.inFlight == 0)
  }

  @Test("9.1 fairness: a cancelled waiter leaves at once")
  func cancellingLeavesTheQueue() async throws {
    let probe = EventProbe()
    let limit = ConcurrencyLimit(perOrigin: 1)
    let pipeline = Self.pipeline(limit)
    let first = try await pipeline.send(.observed(.get, "http://h/1", by: probe))
    let second = Task { try await pipeline.send(.observed(.get, "http://h/2", by: probe)) }
    await probe.wait(for: "concurrency(waiting")
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(limit.waiting == 0)
    #expect(probe.words.last == "concurrency(cancelled while waiting for a slot)")
    // Whoever is cancelled before it comes does not wait either.
    let third = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await pipeline.send(.observed(.get, "http://h/3", by: probe))
    }
    await #expect(throws: CancellationError.self) { try await third.value }
    #expect(limit.waiting == 0)
    first.body.cancel()
    #expect(limit.inFlight == 0)
  }

  @Test("9.1 fairness: no slot is held while a retry above sleeps")
  func aRetryThatSleepsHoldsNoSlot() async throws {
    let limit = ConcurrencyLimit(perClient: 1)
    let time = ManualTime()
    let retry = Stage("Retry") { request, next in
      let left = try await next(request)
      await left.body.discard()
      try await time.sleep(until: time.now.advanced(by: .seconds(10)))
      return try await next(request)
    }
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok, body: .bytes("x")) }) {
      retry
      limit
    }
    let sleeping = Task { try await pipeline.send(.get("http://h/")).body.collect(upTo: 10) }
    await time.sleepers(atLeast: 1)
    #expect(limit.inFlight == 0)
    time.advance(by: .seconds(10))
    _ = try await sleeping.value
    #expect(limit.inFlight == 0)
  }

  @Test func anOriginThatMultiplexesGetsMore() async throws {
    let limit = ConcurrencyLimit(perOrigin: 1, perMultiplexedOrigin: 3)
    let pipeline = Self.pipeline(limit, .http2)
    let probe = EventProbe()
    var held: [Response] = []
    for _ in 0..<3 { held.append(try await pipeline.send(.observed(.get, "http://h/", by: probe))) }
    #expect(probe.words == [])
    #expect(limit.inFlight == 3)
    let fourth = Task { try await pipeline.send(.observed(.get, "http://h/", by: probe)).status }
    await probe.wait(for: "concurrency(waiting")
    for response in held { response.body.cancel() }
    #expect(try await fourth.value == .ok)
    #expect(limit.inFlight == 0)
  }

  @Test func anAnswerOverHTTP2ReleasesWaiters() async throws {
    let probe = EventProbe()
    let (gate, limit) = (Signal(), ConcurrencyLimit(perOrigin: 1, perMultiplexedOrigin: 4))
    let transport = HandlerTransport { request in
      if request.head.path == "/first" { await gate.wait() }
      return Response(head: HTTPResponse(status: .ok), body: .bytes("x"), version: .http2)
    }
    let pipeline = Pipeline(over: transport) { limit }
    let first = Task { try await pipeline.send(.observed(.get, "http://h/first", by: probe)) }
    await probe.wait(for: "stageEntered(HandlerTransport)")
    let others = (0..<3).map { _ in
      Task { try await pipeline.send(.observed(.get, "http://h/", by: probe)) }
    }
    await probe.wait(for: "concurrency(waiting", count: 3)
    gate.set()
    let response = try await first.value
    // None of the bodies has ended: all four are in flight.
    var held: [Response] = [response]
    for other in others { held.append(try await other.value) }
    #expect(limit.inFlight == 4)
    for response in held { response.body.cancel() }
    #expect(limit.inFlight == 0)
  }

  /// How many are inside at a time, in all and by host.
  private final class Gauge: Sendable {
    private let state = Mutex<(now: [String: Int], peak: Int, peakOfOrigin: Int)>(([:], 0, 0))

    var peaks: (all: Int, origin: Int) { state.withLock { ($0.peak, $0.peakOfOrigin) } }

    func enter(_ host: String) {
      state.withLock { state in
        state.now[host, default: 0] += 1
        state.peak = max(state.peak, state.now.values.reduce(0, +))
        state.peakOfOrigin = max(state.peakOfOrigin, state.now[host, default: 0])
      }
    }

    func leave(_ host: String) {
      state.withLock { $0.now[host, default: 0] -= 1 }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func noSlotIsLostOrDoubledUnderCancellation(seed: UInt64) async throws {
    let gauge = Gauge()
    let limit = ConcurrencyLimit(perClient: 7, perOrigin: 3, queueLimit: 3000)
    let transport = HandlerTransport(recordLimit: 0) { request in
      let host = request.head.authority ?? ""
      gauge.enter(host)
      defer { gauge.leave(host) }
      for _ in 0..<3 { await Task.yield() }
      try Task.checkCancellation()
      if request.head.path == "/fail" { throw ExchangeError(.connectionReset, "reset") }
      return Response(.ok, body: .bytes("abc"))
    }
    let pipeline = Pipeline(over: transport) { limit }
    var random = SplitMix(state: seed)
    let (served, cancelled, failed) = (Counter(), Counter(), Counter())
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<3000 {
        let host = "h\(Int.random(in: 0..<5, using: &random))"
        let path = Int.random(in: 0..<8, using: &random) == 0 ? "fail" : "\(number)"
        let ending = Int.random(in: 0..<3, using: &random)
        let delay = Int.random(in: 0..<40, using: &random)
        let isCancelled = Int.random(in: 0..<3, using: &random) == 0
        let priority = RequestPriority.allCases.randomElement(using: &random) ?? .normal
        group.addTask {
          let task = Task {
            var request = Request.get("http://\(host)/\(path)")
            request.options.priority = priority
            // However slow the machine is.
            request.options.poolTimeout = nil
            let response = try await pipeline.send(request)
            switch ending {
            case 0: _ = try await response.body.collect(upTo: 10)
            case 1: response.body.cancel()
            default: break
            }
          }
          if isCancelled {
            for _ in 0..<delay { await Task.yield() }
            task.cancel()
          }
          switch await task.result {
          case .success: served.add()
          case .failure(let error) where error is CancellationError: cancelled.add()
          case .failure: failed.add()
          }
        }
      }
    }
    #expect(served.value + cancelled.value + failed.value == 3000)
    #expect(served.value > 1000)
    #expect(gauge.peaks.all <= 7)
    #expect(gauge.peaks.origin <= 3)
    #expect(limit.inFlight == 0)
    #expect(limit.waiting == 0)
    // All slots are there: as many as before can be in flight.
    var held: [Response] = []
    for number in 0..<7 { held.append(try await pipeline.send(.get("http://h\(number % 4)/"))) }
    #expect(limit.inFlight == 7)
  }
}
