import HTTPTypes
import Stagecoach
import StagecoachTransportKit
import Synchronization
import TestSupport
import Testing

/// The skeleton of a transfer, with an engine that does what each test says.
@Suite(.timeLimit(.minutes(1))) struct EngineTransferTests {
  private struct Broken: Error {}

  private final class Scripted: EngineTransfer {
    let request: Request
    let watchdog: Watchdog
    let state = Mutex(TransferState<Response>())
    let releases = Atomic(0)
    let resumptions = Atomic(0)

    init(_ time: ManualTime, _ change: (inout RequestOptions) -> Void = { _ in }) {
      var request = Request.get("http://h/")
      change(&request.options)
      self.request = request
      watchdog = Watchdog(clock: time)
    }

    func withState<Result: Sendable>(
      _ body: (inout TransferState<Response>) throws -> Result
    ) rethrows -> Result {
      try state.withLock { try body(&$0) }
    }

    func resumeReceiving() { resumptions.add(1, ordering: .relaxed) }
    func release() { releases.add(1, ordering: .relaxed) }

    var isReleased: Bool { releases.load(ordering: .relaxed) == 1 }

    /// Waits for the release, which follows the end of the call that another thread ended.
    func released() async {
      while !isReleased { await Task.yield() }
    }

    /// The response whose body this is.
    var response: Response { Response(.ok, body: Response.Body(source: self)) }
  }

  @Test func deliversAResponseInPieces() async throws {
    let transfer = Scripted(ManualTime())
    let response = try await transfer.start {
      _ = transfer.didStartConnecting()
      transfer.didStartSending(over: nil)
      transfer.didSendRequest()
      transfer.receive(head: transfer.response)
      _ = transfer.receive("ab")
      _ = transfer.receive("c")
      transfer.withState { $0.trailers = [.eTag: "\"t\""] }
      transfer.end(.success(()))
    }
    #expect(try await response.body.collect(upTo: 10) == "abc")
    #expect(transfer.trailers == [.eTag: "\"t\""])
    #expect(transfer.isReleased)
    transfer.end(.failure(Broken()))
    #expect(transfer.isReleased)
  }

  @Test(arguments: [
    (TransferState<Response>.Phase.waiting, ExchangeError.Phase.pool, false),
    (.connecting, .connect, false), (.sending, .idle, true), (.waitingForHead, .head, true),
  ])
  func eachPhaseHasItsTimeout(
    phase: TransferState<Response>.Phase,
    expired: ExchangeError.Phase,
    wasSent: Bool
  ) async throws {
    let time = ManualTime()
    let transfer = Scripted(time) { options in
      options.poolTimeout = .seconds(1)
      options.connectTimeout = .seconds(2)
      options.idleTimeout = .seconds(3)
      options.headTimeout = .seconds(4)
    }
    let limit = try #require(phase.limit(of: transfer.request.options))
    let call = Task {
      try await transfer.start {
        _ = transfer.withState { $0.enter(phase, of: transfer.request) }
      }
    }
    await time.sleepers(atLeast: 1)
    time.advance(by: limit)
    let error = await #expect(throws: ExchangeError.self) { _ = try await call.value }
    #expect(error?.kind == .timeout(expired))
    #expect(error?.requestMayHaveBeenSent == wasSent)
    await transfer.released()
  }

  @Test func aReaderThatWaitsIsServedOrTimesOut() async throws {
    let time = ManualTime()
    let transfer = Scripted(time) { $0.idleTimeout = .seconds(3) }
    _ = try await transfer.start { transfer.receive(head: Response(.ok)) }
    let first = Task { try await transfer.next() }
    await time.sleepers(atLeast: 1)
    #expect(!transfer.receive("a"))
    #expect(try await first.value == "a")
    // Nobody waits: no limit.
    time.advance(by: .seconds(10))
    #expect(transfer.withState { $0.end == nil })
    let second = Task { try await transfer.next() }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(3))
    let error = await #expect(throws: ExchangeError.self) { _ = try await second.value }
    #expect(error?.kind == .timeout(.idle))
  }

  @Test func aFullInboxPausesTheEngineUntilHalfIsRead() async throws {
    let transfer = Scripted(ManualTime())
    _ = try await transfer.start { transfer.receive(head: Response(.ok)) }
    let chunk = Bytes([UInt8](repeating: 1, count: BodyInbox.capacity / 4))
    var pauses = 0
    for _ in 0..<4 where transfer.receive(chunk) { pauses += 1 }
    #expect(pauses == 1)
    for _ in 0..<4 { _ = try await transfer.next() }
    let resumptions = transfer.resumptions.load(ordering: .relaxed)
    #expect(resumptions == 1)
  }

  @Test func whatLaunchingThrowsEndsTheTransfer() async {
    let transfer = Scripted(ManualTime())
    await #expect(throws: Broken.self) { _ = try await transfer.start { throw Broken() } }
    #expect(transfer.isReleased)
  }

  @Test func anEndWithoutAHeadIsAnError() async {
    let transfer = Scripted(ManualTime())
    let error = await #expect(throws: ExchangeError.self) {
      _ = try await transfer.start { transfer.end(.success(())) }
    }
    #expect(error?.kind == .protocolViolation)
  }

  @Test func cancellationEndsEachWait() async throws {
    let waiting = Scripted(ManualTime())
    let call = Task { try await waiting.start {} }
    while !waiting.withState({ $0.isWaitingForHead }) { await Task.yield() }
    call.cancel()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    await waiting.released()

    let reading = Scripted(ManualTime())
    _ = try await reading.start { reading.receive(head: Response(.ok)) }
    let reader = Task { try await reading.next() }
    while !reading.withState({ $0.inbox.hasReader }) { await Task.yield() }
    reader.cancel()
    await #expect(throws: CancellationError.self) { _ = try await reader.value }

    let early = Scripted(ManualTime())
    let launched = Atomic(false)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await early.start { launched.store(true, ordering: .relaxed) }
    }
    await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
    let wasLaunched = launched.load(ordering: .relaxed)
    #expect(!wasLaunched)
  }

  @Test func aDroppedBodyForgetsWhatWasNotRead() async throws {
    let transfer = Scripted(ManualTime())
    _ = try await transfer.start { transfer.receive(head: Response(.ok)) }
    _ = transfer.receive("a")
    transfer.cancel()
    await #expect(throws: CancellationError.self) { _ = try await transfer.next() }
    #expect(!transfer.receive("b"))
  }

  @Test func anInformationalResponseShowsNoSecretAndIsCounted() async throws {
    let recorder = EventRecorder()
    let transport = HandlerTransport { request in
      let transfer = Informing(request)
      let head = HTTPResponse(status: .init(code: 103), headerFields: [.setCookie: "sid=31337"])
      for count in 1...9 { try transfer.receive(informational: head, count: count) }
      return Response(.ok)
    }
    let client = try Client(over: transport, configuration: .init(monitors: [recorder]))
    let error = await #expect(throws: ExchangeError.self) { _ = try await client.send(.get("http://h/")) }
    #expect(error?.kind == .limit(.responseHead))
    #expect(error?.limit?.option == "responseHeadLimits.informationalResponses")
    let heads = recorder.events.compactMap { event -> HTTPResponse? in
      if case .informationalResponse(let head) = event.kind { head } else { nil }
    }
    #expect(heads.count == 9)
    #expect(!heads.contains { "\($0.headerFields)".contains("31337") })
  }

  private final class Informing: EngineTransfer {
    typealias Head = Response
    let request: Request
    let watchdog = Watchdog(clock: SystemTime())
    let state = Mutex(TransferState<Response>())

    init(_ request: Request) { self.request = request }

    func withState<Result: Sendable>(
      _ body: (inout TransferState<Response>) throws -> Result
    ) rethrows -> Result {
      try state.withLock { try body(&$0) }
    }

    func resumeReceiving() {}
  }
}
