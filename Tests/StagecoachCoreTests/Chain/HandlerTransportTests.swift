import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct HandlerTransportTests {
  @Test(arguments: [(0, []), (1, ["c"]), (2, ["b", "c"]), (3, ["a", "b", "c"]), (9, ["a", "b", "c"])])
  func recordsTheNewestRequestsUpToTheLimit(limit: Int, recorded: [String]) async throws {
    let transport = HandlerTransport(recordLimit: limit) { _ in Response(.ok) }
    for name in ["a", "b", "c"] { _ = try await transport.send(.get(name)) }
    #expect(transport.requests.map(\.reference) == recorded)
  }

  @Test func aCancelledTaskIsNotAnswered() async {
    let calls = Counter()
    let transport = HandlerTransport { _ in
      calls.add()
      return Response(.ok)
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await transport.send(.get("a"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(calls.value == 0)
  }

  @Test(arguments: [0, 10])
  func refusesRequestsAfterShutdown(limit: Int) async throws {
    let transport = HandlerTransport(recordLimit: limit) { _ in Response(.ok) }
    await transport.shutdown()
    await transport.shutdown()
    let error = try await #require(throws: ExchangeError.self) { _ = try await transport.send(.get("a")) }
    #expect(error.kind == .shutdown)
    #expect(error.stage.isEmpty)
    #expect(transport.requests.isEmpty)
  }

  @Test func rethrowsErrorsOfTheHandlerUnchanged() async {
    let transport = HandlerTransport { _ in throw Foreign() }
    await #expect(throws: Foreign()) { _ = try await transport.send(.get("a")) }
  }

  @Test func capabilitiesAreASet() {
    let transport = HandlerTransport { _ in Response(.ok) }
    #expect(transport.name == "HandlerTransport")
    #expect(transport.capabilities.contains([.streamsRequestBodies, .responseTrailers, .exactFields]))
    #expect(!transport.capabilities.contains(.http2))
    #expect(Set((0..<6).map { TransportCapabilities(rawValue: 1 << $0) }).count == 6)
  }
}
