import HTTPTypes
import Stagecoach

/// The chain alone: seven stages that each look at a field and emit an event, over a transport in
/// memory.
struct ChainRows {
  let quick: Bool

  struct LookingStage: Middleware {
    let name: String

    func handle(_ request: Request, next: Next) async throws -> Response {
      if request.fields.contains(.authorization) { throw CancellationError() }
      request.emit(Looked(stage: name))
      return try await next(request)
    }
  }

  struct Looked: StageEvent {
    let stage: String
    var description: String { stage }
  }

  struct MemoryTransport: Transport {
    func send(_ request: Request) async throws -> Response {
      Response(.ok)
    }
  }

  static let requests = 20_000

  func run() async throws -> [Row] {
    let transport = MemoryTransport()
    let pipeline = Pipeline(over: transport, stages: (1...7).map { LookingStage(name: "stage\($0)") })
    let request = Request(
      head: HTTPRequest(
        method: .get,
        scheme: "http",
        authority: "test",
        path: "/a",
        headerFields: [.accept: "*/*", .userAgent: "bench"]
      )
    )
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: Self.requests) {
      for _ in 0..<Self.requests { _ = try await pipeline.send(request) }
    } peer: {
      for _ in 0..<Self.requests { _ = try await transport.send(request) }
    }
    return [
      Row("chain/seven-stages/cpu", unit: "ns/request", peerName: "transport alone", costs) { $0.cpu * 1e9 },
      Row("chain/seven-stages/allocations", unit: "allocations/request", peerName: "transport alone", costs) {
        $0.allocations
      },
    ] + (try await policyRow()) + (try await emitRow(request))
  }

  /// The stages of the standard chain against a client that has none, over a transport in memory.
  private func policyRow() async throws -> [Row] {
    let transport = AnsweringTransport()
    let ours = try Client(over: transport, base: "http://test/")
    let peer = try Client(Pipeline(over: transport, stages: []), base: "http://test/")
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: Self.requests) {
      for _ in 0..<Self.requests { _ = try await ours.get("a", as: .data) }
    } peer: {
      for _ in 0..<Self.requests { _ = try await peer.get("a", as: .data) }
    }
    return [
      Row("chain/policy-stages/cpu", unit: "µs/request", peerName: "no stages", costs) { $0.cpu * 1e6 },
      Row("chain/policy-stages/allocations", unit: "allocations/request", peerName: "no stages", costs) {
        $0.allocations
      },
    ]
  }

  struct AnsweringTransport: Transport {
    let response = Response(
      .ok,
      fields: [.contentType: "text/plain", .date: "Sun, 06 Nov 1994 08:49:37 GMT"],
      body: .bytes(Bytes([UInt8](repeating: 0x61, count: 13)))
    )

    func send(_ request: Request) async throws -> Response { response }
  }

  private func emitRow(_ request: Request) async throws -> [Row] {
    // One event of a request that nobody observes, against the empty loop around it.
    let emits = 5_000_000
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: emits) {
      for index in 0..<emits { request.emit(.requestBodyProgress(bytes: Int64(index), of: nil)) }
    } peer: {
      var sum = 0
      for index in 0..<emits { sum &+= opaque(index) }
      if sum == 42 { print("") }
    }
    return [
      Row("events/emit-unobserved/cpu", unit: "ns/emit", peerName: "empty loop", costs) { $0.cpu * 1e9 },
      Row("events/emit-unobserved/allocations", unit: "allocations/emit", peerName: "empty loop", costs) {
        $0.allocations
      },
    ]
  }
}

/// Keeps the optimizer from removing a loop.
@inline(never)
func opaque(_ value: Int) -> Int { value }
