import HTTPTypes
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachResilience

/// A stage over an origin that holds its answers back until the test opens a gate.
final class CoalescingBench: Sendable {
  let gate = Signal()
  let probe = EventProbe()
  let transport: HandlerTransport
  let pipeline: Pipeline

  init(
    _ stage: Coalescing = Coalescing(),
    _ answer: @escaping @Sendable (Request) async throws -> Response = { _ in
      Response(.ok, body: .bytes("body"))
    }
  ) {
    let gate = self.gate
    transport = HandlerTransport { request in
      // Waits, and is not deaf to cancellation.
      let wait = Task { await gate.wait() }
      await withTaskCancellationHandler {
        await wait.value
      } onCancel: {
        if request.head.path == "/cancellable" { gate.set() }
      }
      try Task.checkCancellation()
      return try await answer(request)
    }
    pipeline = Pipeline(over: transport) { stage }
  }

  private var joined: Int { probe.words.count { $0 == "concurrency(joined an identical request)" } }

  /// Starts a request, and returns once it is at the origin or has joined another, as it should.
  func start(
    _ method: HTTPRequest.Method = .get,
    _ url: String = "http://h/",
    joins: Bool,
    _ change: @Sendable (inout Request) -> Void = { _ in }
  ) async -> Task<String, any Error> {
    let (sent, joined) = (transport.requests.count, self.joined)
    var request = Request.observed(method, url, by: probe)
    change(&request)
    let task = Task { [request, pipeline] in
      String(decoding: try await pipeline.send(request).body.collect(upTo: 1 << 24))
    }
    while transport.requests.count <= sent, self.joined <= joined { await Task.yield() }
    #expect(joins == (self.joined > joined), "\(method) \(url)")
    return task
  }

  /// Starts a leader and waiters that share a body, and gives their responses.
  static func shared(
    _ count: Int,
    _ stage: Coalescing = Coalescing(),
    _ answer: @escaping @Sendable (Request) -> Response
  ) async throws -> (CoalescingBench, [Response]) {
    let bench = CoalescingBench(stage) { answer($0) }
    var tasks: [Task<Response, any Error>] = []
    for number in 0..<count {
      let request = Request.observed(.get, "http://h/", by: bench.probe)
      tasks.append(Task { try await bench.pipeline.send(request) })
      if number == 0 {
        while bench.transport.requests.isEmpty { await Task.yield() }
      } else {
        await bench.probe.wait(for: "concurrency(joined", count: number)
      }
    }
    bench.gate.set()
    var responses: [Response] = []
    for task in tasks { responses.append(try await task.value) }
    return (bench, responses)
  }
}
