import HTTPTypes
import Stagecoach
import StagecoachTransportKit
import Synchronization
import TestSupport
import Testing

/// The example of `EngineTransfer`, over an engine that delivers as many chunks as a test says.
@Suite(.timeLimit(.minutes(1))) struct LineTransportTests {
  private protocol Line: Sendable {
    func open(
      _ request: Request,
      onHead: @escaping @Sendable (HTTPResponse) -> Void,
      onChunk: @escaping @Sendable (Bytes) -> Void,
      onEnd: @escaping @Sendable (Result<Void, any Error>) -> Void
    )
    func pause()
    func resume()
    func close()
  }

  private final class LineTransfer: EngineTransfer {
    let request: Request
    let watchdog: Watchdog
    let line: any Line
    let state = Mutex(TransferState<Response>())

    init(_ request: Request, over line: any Line, watchdog: Watchdog) {
      (self.request, self.line, self.watchdog) = (request, line, watchdog)
    }

    func withState<Result: Sendable>(
      _ body: (inout TransferState<Response>) throws -> Result
    ) rethrows -> Result {
      try state.withLock { try body(&$0) }
    }

    func resumeReceiving() { line.resume() }
    func release() { line.close() }

    func run() {
      guard didStartSending(over: nil) else { return }
      line.open(request) { [self] head in
        didSendRequest()
        receive(head: Response(head: head, body: Response.Body(source: self)))
      } onChunk: { [self] chunk in
        if receive(chunk) { line.pause() }
      } onEnd: { [self] result in
        end(result)
      }
    }
  }

  private struct LineTransport: Transport {
    let watchdog: Watchdog
    var connect: @Sendable () -> any Line

    func send(_ request: Request) async throws -> Response {
      let transfer = LineTransfer(request, over: connect(), watchdog: watchdog)
      return try await transfer.start { transfer.run() }
    }
  }

  /// Answers on a task of its own; does nothing without a number of chunks.
  private final class Echo: Line {
    let chunks: Int?
    let openings = Counter()
    let closings = Counter()

    init(_ chunks: Int?) { self.chunks = chunks }

    func open(
      _ request: Request,
      onHead: @escaping @Sendable (HTTPResponse) -> Void,
      onChunk: @escaping @Sendable (Bytes) -> Void,
      onEnd: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
      openings.add()
      guard let chunks else { return }
      Task {
        onHead(HTTPResponse(status: .ok))
        for number in 0..<chunks { onChunk(Bytes("\(number)")) }
        onEnd(.success(()))
      }
    }

    func pause() {}
    func resume() {}
    func close() { closings.add() }
  }

  @Test(arguments: [(0, ""), (1, "0"), (3, "012")])
  func aBodyHasAnyNumberOfChunks(chunks: Int, text: String) async throws {
    let line = Echo(chunks)
    let transport = LineTransport(watchdog: Watchdog(clock: SystemTime())) { line }
    let client = try Client(over: transport)
    #expect(try await client.value(for: .get("http://h/"), as: .data).array == Array(text.utf8))
    #expect(line.closings.value == 1)
  }
  @Test func anEngineThatStaysSilentTimesOut() async throws {
    let line = Echo(nil)
    let time = ManualTime()
    let transport = LineTransport(watchdog: Watchdog(clock: time)) { line }
    // Without the standard pipeline, whose Retry would wait on the clock before its next attempt.
    let call = Task { try await transport.send(Request.get("http://h/").with(\.idleTimeout, .seconds(3))) }
    while line.openings.value == 0 { await Task.yield() }
    time.advance(by: .seconds(3))
    let error = await #expect(throws: ExchangeError.self) { _ = try await call.value }
    #expect(error?.kind == .timeout(.idle))
    #expect(line.closings.value == 1)
  }
}
