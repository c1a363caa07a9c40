import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// The last row of the budgets of http.md 5.4.
@Suite(.timeLimit(.minutes(1))) struct RetryBudgetTests {
  @Test("5.4 #5: 1,000 failing calls at once stay within the budget")
  func aThousandFailingCallsStayWithinTheBudget() async throws {
    let time = ManualTime()
    var policy = RetryPolicy(attempts: 10)
    policy.delay = .zero
    let count = Counter()
    let transport = HandlerTransport(recordLimit: 0) { _ in
      count.add()
      await Task.yield()
      return Response(.serviceUnavailable)
    }
    let client = try Client(
      Pipeline(over: transport, stages: [Retry(policy)]),
      configuration: .init(clock: time)
    )
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<1_000 { group.addTask { try await client.send(.get("http://h/")).status.code } }
      for try await code in group { #expect(code == 503) }
    }
    #expect(count.value > 1_000)
    #expect(count.value <= 1_000 + 10 + 200)
  }

  private static func retries(
    _ count: Int,
    _ client: Client,
    _ transport: HandlerTransport,
    _ url: String = "http://h/"
  )
    async throws -> Int
  {
    let before = transport.requests.count
    for _ in 0..<count { _ = try await client.send(.get(url)) }
    return transport.requests.count - before - count
  }

  private static func subject(_ budget: RetryBudget, _ time: ManualTime) throws -> (Client, HandlerTransport)
  {
    var policy = RetryPolicy(attempts: 2)
    policy.delay = .zero
    let transport = HandlerTransport(recordLimit: 10_000) { _ in Response(.serviceUnavailable) }
    return (
      try Client(
        Pipeline(over: transport, stages: [Retry(policy, budget: budget)]),
        configuration: .init(clock: time)
      ), transport
    )
  }

  @Test("5.4 #5: ten are free, a fifth of the requests is added")
  func allowsTenRetriesAndAFifthOfTheRequests() async throws {
    let time = ManualTime()
    let (client, transport) = try Self.subject(RetryBudget(), time)
    #expect(try await Self.retries(10, client, transport) == 10)
    // In all 10, and 20 of 100 requests.
    #expect(try await Self.retries(90, client, transport) == 20)
  }

  @Test("5.4 #5: the window moves on") func retriesAreAllowedAgainWhenTheWindowMoves() async throws {
    let time = ManualTime()
    let (client, transport) = try Self.subject(RetryBudget(minimum: 4, share: 0), time)
    #expect(try await Self.retries(9, client, transport) == 4)
    time.advance(by: .milliseconds(9_999))
    #expect(try await Self.retries(9, client, transport) == 0)
    // Half of the window before still counts.
    time.advance(by: .milliseconds(5_001))
    #expect(try await Self.retries(9, client, transport) == 2)
    time.advance(by: .seconds(100))
    #expect(try await Self.retries(9, client, transport) == 4)
  }

  @Test("5.4 #5: each origin has its own") func eachOriginHasItsBudget() async throws {
    let (client, transport) = try Self.subject(RetryBudget(minimum: 1, share: 0), ManualTime())
    for url in ["http://a/", "https://a/", "http://a:8080/", "http://b/"] {
      #expect(try await Self.retries(3, client, transport, url) == 1)
    }
    // Their number is bounded, and what is forgotten begins anew.
    for number in 0..<2_000 {
      #expect(try await Self.retries(1, client, transport, "http://h\(number)/") == 1)
    }
  }

  @Test("5.4 #5: an empty budget passes the failure on") func anEmptyBudgetReturnsTheFailure() async throws {
    let subject = try RetrySubject(budget: RetryBudget(minimum: 0, share: 0), .failure(.connectionRefused))
    #expect(try await subject.outcome() == "connectionRefused")
    #expect(subject.events == [.budgetEmpty])
  }

  @Test func stagesShareABudgetThatTheyAreGiven() async throws {
    let budget = RetryBudget(minimum: 1, share: 0)
    let time = ManualTime()
    let (a, b) = (try Self.subject(budget, time), try Self.subject(budget, time))
    #expect(try await Self.retries(1, a.0, a.1) == 1)
    #expect(try await Self.retries(1, b.0, b.1) == 0)
  }

  @Test func clampsFiguresOutOfBounds() async throws {
    let odd = RetryBudget(minimum: -1, share: .nan, window: .seconds(-1))
    #expect(odd.minimum == 0 && odd.share == 0 && odd.window == .milliseconds(1))
    #expect(RetryBudget(share: 7).share == 1)
    let (client, transport) = try Self.subject(.unlimited, ManualTime())
    #expect(try await Self.retries(500, client, transport) == 500)
  }
}
