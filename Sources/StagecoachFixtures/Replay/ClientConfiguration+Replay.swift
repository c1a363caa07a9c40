public import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Client.Configuration {
  /// The configuration with the time and the randomness of a scenario, so that what a client computes of them comes out
  /// as it was recorded: signatures, the freshness of stored responses, the expiry of cookies, nonces and boundaries.
  ///
  /// ```swift
  /// let replay = try ReplayTransport(folder: "Fixtures/users/get-user")
  /// let configuration = Client.Configuration().replaying(replay.scenario)
  /// let client = try Client(over: replay, base: "https://api.example.com/", configuration: configuration)
  /// ```
  ///
  /// Dates begin with the clock of the scenario and go on as time passes. The randomness begins with its seed, which a
  /// ``Recorder`` notes of a client whose source of randomness is a `SeededRandom`; without one it stays as it is.
  public func replaying(_ scenario: Scenario) -> Client.Configuration {
    var copy = self
    if let date = scenario.clock { copy.clock = ScenarioTime(clock, startingAt: date) }
    if let seed = scenario.seed { copy.randomNumberGenerator = SeededRandom(seed: seed) }
    return copy
  }
}

/// A clock whose dates start with another one.
private struct ScenarioTime: TimeSource {
  private let clock: any TimeSource
  private let start: ContinuousClock.Instant
  private let startDate: Date

  init(_ clock: any TimeSource, startingAt date: Date) {
    self.clock = clock
    start = clock.now
    startDate = date
  }

  var now: ContinuousClock.Instant { clock.now }

  var date: Date { startDate + (now - start) / .seconds(1) }

  func sleep(until instant: ContinuousClock.Instant) async throws {
    try await clock.sleep(until: instant)
  }
}
