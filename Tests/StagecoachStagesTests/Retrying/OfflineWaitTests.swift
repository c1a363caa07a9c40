import HTTPTypes
import Stagecoach
import Testing

@Suite(.timeLimit(.minutes(1))) struct OfflineWaitTests {
  private static func policy(_ network: some NetworkMonitor, upTo limit: Duration = .seconds(30))
    -> RetryPolicy
  {
    var policy = RetryPolicy()
    policy.delay = .zero
    policy.offlineWait = RetryPolicy.OfflineWait(for: network, upTo: limit)
    return policy
  }

  @Test func theNextAttemptWaitsForTheNetwork() async throws {
    let network = ManualNetworkMonitor(.offline)
    let time = ManualTime()
    let subject = try RetrySubject(Self.policy(network), time: time, .failure(.nameResolution), .status(200))
    let call = Task { try await subject.outcome() }
    await time.sleepers(atLeast: 1)
    #expect(subject.attempts == 1)
    network.set(.wifi)
    #expect(try await call.value == "200")
    #expect(
      subject.events == [
        .decided(.failure(.nameResolution), delay: .zero), .waitingForNetwork(upTo: .seconds(30)),
      ]
    )
  }

  @Test func afterTheLimitTheAttemptIsMadeAnyway() async throws {
    let time = ManualTime()
    let subject = try RetrySubject(
      Self.policy(ManualNetworkMonitor(.offline), upTo: .seconds(7)),
      time: time,
      .failure(.connectionFailed),
      .status(200)
    )
    let call = Task { try await subject.outcome() }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(7))
    #expect(try await call.value == "200")
  }

  @Test func theDeadlineIsALimitToo() async throws {
    let time = ManualTime()
    let subject = try RetrySubject(
      Self.policy(ManualNetworkMonitor(.offline)),
      time: time,
      .failure(.connectionFailed),
      .status(200)
    )
    let call = Task { try await subject.outcome(of: .get("http://h/").with(\.totalTimeout, .seconds(2))) }
    await time.sleepers(atLeast: 2)
    #expect(subject.events.last == .waitingForNetwork(upTo: .milliseconds(1950)))
    time.advance(by: .milliseconds(1950))
    #expect(try await call.value == "200")
  }

  /// A network that is not known to be gone, or a failure that it does not explain, is no reason to wait; nor
  /// is anything before a failure.
  @Test func onlyAFailureWhileOfflineWaits() async throws {
    for status in [NetworkStatus.unknown, .wired, .wifi, .cellular, .other] {
      let subject = try RetrySubject(
        Self.policy(ManualNetworkMonitor(status)),
        .failure(.connectionFailed),
        .status(200)
      )
      #expect(try await subject.outcome() == "200")
      #expect(subject.events.count == 1)
    }
    let offline = ManualNetworkMonitor(.offline)
    let status = try RetrySubject(Self.policy(offline), .status(503), .status(200))
    #expect(try await status.outcome() == "200")
    let head = try RetrySubject(Self.policy(offline), .failure(.timeout(.head)), .status(200))
    #expect(try await head.outcome() == "200")
    let first = try RetrySubject(Self.policy(offline), .status(200))
    #expect(try await first.outcome() == "200")
  }

  @Test func cancellationEndsTheWait() async throws {
    let time = ManualTime()
    let subject = try RetrySubject(
      Self.policy(ManualNetworkMonitor(.offline)),
      time: time,
      .failure(.connectionFailed),
      .status(200)
    )
    let call = Task { try await subject.client.send(.get("http://h/")) }
    await time.sleepers(atLeast: 1)
    call.cancel()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    #expect(subject.attempts == 1)
  }

  @Test func aNetworkThatGoesDuringTheBackOffIsWaitedFor() async throws {
    let network = ManualNetworkMonitor(.unknown)
    let time = ManualTime()
    var policy = Self.policy(network)
    policy.delay = .seconds(2)
    let subject = try RetrySubject(policy, time: time, .failure(.connectionFailed), .status(200))
    let call = Task { try await subject.outcome() }
    await time.sleepers(atLeast: 1)
    network.set(.offline)
    time.advance(by: .seconds(2))
    while subject.events.count < 2, subject.attempts < 2 { await Task.yield() }
    #expect(subject.events.last == .waitingForNetwork(upTo: .seconds(30)))
    // Time enough for one that does not wait.
    for _ in 0..<40 where subject.attempts < 2 { await Task.yield() }
    #expect(subject.attempts == 1)
    network.set(.wifi)
    #expect(try await call.value == "200")
  }
}
