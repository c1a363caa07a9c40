import HTTPTypes
import Stagecoach
import StagecoachResilience
import TestSupport
import Testing

/// Table 5.1 of http.md: what may be repeated.
@Suite(.timeLimit(.minutes(1))) struct RetryFailureTests {
  /// A row, its failure, whether an idempotent request is repeated, and whether a POST is.
  struct Case: Sendable, CustomTestStringConvertible {
    let row: String
    let kind: ExchangeError.Kind
    var sent: Bool?
    var get: Bool
    var post: Bool
    var testDescription: String { "\(row) \(kind) sent: \(sent.map { "\($0)" } ?? "?")" }
  }

  static let cases: [Case] = [
    Case(row: "5.1 #1", kind: .nameResolution, get: true, post: true),
    Case(row: "5.1 #1", kind: .connectionRefused, get: true, post: true),
    Case(row: "5.1 #1", kind: .connectionFailed, get: true, post: true),
    Case(row: "5.1 #1", kind: .timeout(.connect), get: true, post: true),
    Case(row: "5.1 #1", kind: .timeout(.pool), get: true, post: true),
    Case(row: "5.1 #1", kind: .connectionFailed, sent: true, get: true, post: false),
    Case(row: "5.1 #2", kind: .proxyRefused, sent: false, get: false, post: false),
    Case(row: "5.1 #2", kind: .tls(.untrusted), sent: false, get: false, post: false),
    Case(row: "5.1 #2", kind: .tls(.hostMismatch), sent: false, get: false, post: false),
    Case(row: "5.1 #2", kind: .tls(.expired), sent: false, get: false, post: false),
    Case(row: "5.1 #2", kind: .tls(.pinMismatch), sent: false, get: false, post: false),
    Case(row: "5.1 #2", kind: .tls(.handshake), sent: false, get: false, post: false),
    Case(row: "5.1 #2", kind: .invalidRequest, sent: false, get: false, post: false),
    Case(row: "5.1 #2", kind: .limit(.requestHead), sent: false, get: false, post: false),
    Case(row: "5.1 #2", kind: .validation, get: false, post: false),
    Case(row: "5.1 #2", kind: .mediaType, get: false, post: false),
    Case(row: "5.1 #2", kind: .protocolViolation, get: false, post: false),
    Case(row: "5.1 #3", kind: .connectionReset, sent: false, get: true, post: true),
    Case(row: "5.1 #4", kind: .connectionReset, get: true, post: false),
    Case(row: "5.1 #4", kind: .connectionReset, sent: true, get: true, post: false),
    Case(row: "5.1 #4", kind: .timeout(.head), get: true, post: false),
    Case(row: "5.1 #4", kind: .timeout(.idle), get: true, post: false),
    Case(row: "5.1 #4", kind: .timeout(.head), sent: false, get: true, post: true),
    Case(row: "5.1 #5", kind: .incompleteBody, get: true, post: false),
    Case(row: "5.1 #5", kind: .contentCoding(.truncated), get: true, post: false),
    Case(row: "5.1 #5", kind: .contentCoding(.checksum), get: false, post: false),
    Case(row: "5.1 #7", kind: .timeout(.total), get: false, post: false),
    Case(row: "5.1 #7", kind: .shutdown, get: false, post: false),
    Case(row: "5.1 #7", kind: .bodyCancelled, get: false, post: false),
    Case(row: "5.1", kind: .bodyNotReplayable, get: false, post: false),
    Case(row: "5.1", kind: .requestBody, get: false, post: false),
    Case(row: "5.1", kind: .transport, get: false, post: false),
  ]

  @Test(arguments: cases)
  func retriesFailuresByKindAndMethod(_ row: Case) async throws {
    for (method, isRepeated) in [(HTTPRequest.Method.get, row.get), (.post, row.post)] {
      let subject = try RetrySubject(.failure(row.kind, sent: row.sent), .status(200))
      let outcome = try await subject.outcome(of: Request(method, "http://h/", body: .bytes("x")))
      #expect(outcome == (isRepeated ? "200" : "\(row.kind)"), "\(row.row) \(method)")
      #expect(subject.attempts == (isRepeated ? 2 : 1), "\(row.row) \(method)")
      #expect(subject.events.count == 1, "\(row.row) \(method)")
    }
  }

  @Test("5.1 #3: a connection closed as it was used again") func retriesAReuseRaceWithoutWaiting()
    async throws
  {
    let race = RetrySubject.Answer.failure(.connectionReset, sent: true, reused: true)
    let subject = try RetrySubject(budget: RetryBudget(minimum: 0, share: 0), race, .status(200))
    #expect(try await subject.outcome() == "200")
    #expect(subject.waits.isEmpty)
    #expect(subject.events == [.decided(.failure(.connectionReset), delay: .zero)])
    // Once only; then it is a reset like any other, with a delay.
    let again = try RetrySubject(race, race, .status(200))
    #expect(try await again.outcome() == "200")
    #expect(again.waits == [.milliseconds(500)])
    let post = try RetrySubject(race, .status(200))
    #expect(try await post.outcome(of: .post("http://h/")) == "connectionReset")
    #expect(post.events == [.refused(.failure(.connectionReset), .notIdempotent(.post))])
  }

  @Test("5.1 #3: a peer that says it has not processed the request")
  func retriesAnUnprocessedRequestWithoutWaiting() async throws {
    let unprocessed = RetrySubject.Answer.failure(.connectionReset, sent: false, reused: false)
    let subject = try RetrySubject(budget: RetryBudget(minimum: 0, share: 0), unprocessed, .status(200))
    #expect(try await subject.outcome(of: .post("http://h/")) == "200")
    #expect(subject.waits.isEmpty)
  }

  @Test("5.1 #5: a body that fails after its head is not sent for again") func doesNotRetryABodyThatFails()
    async throws
  {
    let source = ScriptedSource([.chunk("a"), .fail(ExchangeError(.incompleteBody, "cut"))])
    let subject = try RetrySubject(.body(source, status: 200))
    await #expect(throws: ExchangeError.self) {
      _ = try await subject.client.value(for: .get("http://h/"), as: .data)
    }
    #expect(subject.attempts == 1)
  }

  @Test("5.1 #7: cancellation is no failure") func doesNotRetryACancelledRequest() async throws {
    let subject = try RetrySubject(.closure { _ in throw CancellationError() })
    await #expect(throws: CancellationError.self) { _ = try await subject.client.send(.get("http://h/")) }
    #expect(subject.attempts == 1)
    #expect(subject.events.isEmpty)
  }

  /// Idempotent by method (RFC 9110 9.2.2), by mark, by key.
  @Test(
    "5.1 #6: a status is repeated for idempotent methods, by a mark or by a key",
    arguments: [
      ("GET", true), ("HEAD", true), ("OPTIONS", true), ("TRACE", true), ("PUT", true), ("DELETE", true),
      ("QUERY", true), ("PROPFIND", true), ("REPORT", true), ("SEARCH", true), ("PRI", true), ("POST", false),
      ("PATCH", false), ("LOCK", false), ("get", false), ("Search", false),
    ]
  )
  func retriesAStatusOnlyForIdempotentRequests(method: String, expected: Bool) async throws {
    let request = Request(try #require(HTTPRequest.Method(method)), "http://h/")
    func isRepeated(_ request: Request) async throws -> Bool {
      try await RetrySubject(.status(503), .status(200)).outcome(of: request) == "200"
    }
    #expect(try await isRepeated(request) == expected)
    #expect(try await isRepeated(request.with(\.isIdempotent, true)))
    #expect(try await !isRepeated(request.with(\.isIdempotent, false)))
    var keyed = request
    try keyed.addField("Idempotency-Key", "\"k\"")
    #expect(try await isRepeated(keyed))
  }

  @Test("5.1: only bodies that can be sent again") func retriesOnlyBodiesThatCanBeSentAgain() async throws {
    let file = try ScratchDirectory()
    let chunks = AsyncStream<Bytes> { $0.finish() }
    let bodies: [(Request.Body, Bool)] = [
      (.empty, true), (.bytes("x"), true), (try .file(file.file("body", [1, 2])), true),
      (.stream(length: nil) { AsyncStream<Bytes> { $0.finish() } }, true),
      (.oneShot(chunks, length: nil), false),
    ]
    for (body, isRepeated) in bodies {
      let first = RetrySubject.Answer.closure { request in
        _ = try request.body.makeSource()
        return Response(.serviceUnavailable)
      }
      let subject = try RetrySubject(first, .status(200))
      #expect(try await subject.outcome(of: .put("http://h/", body: body)) == (isRepeated ? "200" : "503"))
      if !isRepeated { #expect(subject.events == [.refused(.status(503), .bodyNotReplayable)]) }
    }
    // One that exists once and was not opened yet is still there.
    let subject = try RetrySubject(.failure(.connectionRefused), .status(200))
    #expect(try await subject.outcome(of: .post("http://h/", body: .oneShot(chunks, length: nil))) == "200")
  }

  @Test("9.1 circuit breaker: an open circuit is tried again when it lets requests pass")
  func retriesWhenAnOpenCircuitLetsRequestsThrough() async throws {
    let time = ManualTime()
    let refused = RetrySubject.Answer.failure(.connectionRefused)
    let subject = try RetrySubject(
      time: time,
      below: [CircuitBreaker()],
      refused,
      refused,
      refused,
      refused,
      refused,
      .status(200)
    )
    var single = Request.get("http://h/")
    single.options.retryPolicy = .never
    for _ in 0..<5 { #expect(try await subject.outcome(of: single) == "connectionRefused") }
    let call = Task { try await subject.outcome() }
    while subject.events.count < 6 { await Task.yield() }
    let delays = subject.events.compactMap { event -> Duration? in
      if case .decided(.failure(.circuitOpen), let delay) = event { delay } else { nil }
    }
    let delay = try #require(delays.first)
    #expect(delay >= .seconds(5))
    await time.sleepers(atLeast: 1)
    #expect(subject.attempts == 5)
    time.advance(by: delay)
    #expect(try await call.value == "200")
    #expect(subject.attempts == 6)
  }
}
