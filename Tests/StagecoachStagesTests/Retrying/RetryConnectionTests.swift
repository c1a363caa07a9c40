import HTTPTypes
import StagecoachStages
import Testing

@testable import StagecoachCore

/// What a kept connection was the reason for is sent again on a new one, where the transport makes them.
@Suite struct RetryConnectionTests {
  /// A handler that says it can make connections for requests.
  private struct Wire: Transport {
    let handler: HandlerTransport
    let capabilities: TransportCapabilities
    var name: String { "Wire" }
    func send(_ request: Request) async throws -> Response { try await handler.send(request) }
  }

  /// Whether each attempt asked for a new connection.
  private static func asked(
    after first: RetrySubject.Answer,
    _ capabilities: TransportCapabilities = .newConnections
  ) async throws -> [Bool?] {
    let answers = Locked([first, .status(503), .status(200)])
    let handler = HandlerTransport { request in
      try await answers.with { $0.removeFirst() }.response(request)
    }
    let wire = Wire(handler: handler, capabilities: capabilities)
    // Nested: the transport at the end counts.
    let client = try Client(
      Pipeline(over: Pipeline(over: wire, stages: []), stages: [Retry()]),
      configuration: .init(clock: RetrySubject.HastyTime())
    )
    #expect(try await client.send(.get("http://h/")).status == .ok)
    return handler.requests.map { $0.options.networkUse?.newConnection }
  }

  @Test("5.2 #2: a misdirected request is retried on a new connection")
  func retriesAMisdirectedRequestOnANewConnection() async throws {
    #expect(try await Self.asked(after: .status(421)) == [nil, true, true])
    #expect(try await Self.asked(after: .status(421), []) == [nil, nil, nil])
  }

  @Test("5.1 #3: a connection closed as it was used again") func retriesOnANewConnectionAfterAReuseRace()
    async throws
  {
    let race = RetrySubject.Answer.failure(.connectionReset, sent: true, reused: true)
    #expect(try await Self.asked(after: race) == [nil, true, true])
  }

  @Test func otherFailuresMayUseWhatIsKept() async throws {
    #expect(try await Self.asked(after: .status(503)) == [nil, nil, nil])
    let reset = RetrySubject.Answer.failure(.connectionReset, sent: true, reused: false)
    #expect(try await Self.asked(after: reset) == [nil, nil, nil])
  }
}
