import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct IdempotencyKeyTests {
  private static let name = HTTPField.Name("Idempotency-Key")

  private static var policy: RetryPolicy {
    var policy = RetryPolicy()
    policy.addsIdempotencyKey = true
    return policy
  }

  private static func keys(_ transport: HandlerTransport) throws -> [String?] {
    let name = try #require(name)
    return transport.requests.map { $0.fields[name] }
  }

  @Test(arguments: [HTTPRequest.Method.post, .patch]) func makesARequestRepeatable(method: HTTPRequest.Method)
    async throws
  {
    let subject = try RetrySubject(
      Self.policy,
      .status(503),
      .failure(.connectionReset, sent: true),
      .status(200)
    )
    #expect(try await subject.outcome(of: Request(method, "http://h/")) == "200")
    let keys = try Self.keys(subject.transport).map { try #require($0) }
    #expect(keys.count == 3 && Set(keys).count == 1)
    #expect(subject.transport.requests.map(\.attempt) == [1, 2, 3])
  }

  @Test func theKeyIsARandomUUIDOfTheClientsChance() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(
      Pipeline(over: transport, stages: [Retry(Self.policy)]),
      configuration: .init(randomNumberGenerator: SeededRandom(seed: 7))
    )
    for _ in 0..<50 { _ = try await client.send(.post("http://h/")) }
    let keys = try Self.keys(transport).map { try #require($0) }
    #expect(Set(keys).count == 50)
    for key in keys {
      #expect(
        key.wholeMatch(of: /"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/) != nil,
        "\(key)"
      )
    }
  }

  @Test func idempotentMethodsGetNoKey() async throws {
    let subject = try RetrySubject(Self.policy, .status(200))
    for request in [Request.get("http://h/"), .put("http://h/"), .delete("http://h/")] {
      _ = try await subject.outcome(of: request)
    }
    for said in [true, false] {
      _ = try await subject.outcome(of: .post("http://h/").with(\.isIdempotent, said))
    }
    #expect(try Self.keys(subject.transport) == [nil, nil, nil, nil, nil])
    var own = Request.post("http://h/")
    try own.addField("Idempotency-Key", "mine")
    _ = try await subject.outcome(of: own)
    #expect(try Self.keys(subject.transport).last == "mine")
    let without = try RetrySubject(.status(200))
    _ = try await without.outcome(of: .post("http://h/"))
    #expect(try Self.keys(without.transport) == [nil])
  }

  @Test func hopsAtOneOriginShareItAndOthersDoNotSeeIt() async throws {
    let hops = Stage("Hops") { request, next in
      var request = request
      for (hop, authority) in ["a", "a", "b", "a"].enumerated() {
        request.head.authority = authority
        request.hop = Int32(hop)
        _ = try await next(request)
      }
      return Response(.ok)
    }
    let subject = try RetrySubject(Self.policy, above: [hops], .status(200))
    let client = try Client(
      Pipeline(over: subject.transport, stages: [hops, Retry(Self.policy)]),
      configuration: .init(randomNumberGenerator: SeededRandom(seed: 1))
    )
    _ = try await client.send(.post("http://a/"))
    let keys = try Self.keys(subject.transport).map { try #require($0) }
    #expect(keys[0] == keys[1] && keys[0] == keys[3] && keys[0] != keys[2])
    _ = try await client.send(.post("http://a/"))
    #expect(try Self.keys(subject.transport)[4] != keys[0])
  }
}
