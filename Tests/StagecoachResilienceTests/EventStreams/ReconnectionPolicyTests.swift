import Testing

@testable import StagecoachCore
@testable import StagecoachResilience

@Suite struct ReconnectionPolicyTests {
  @Test func theDelayDoublesUpToTheLongest() {
    let policy = ReconnectionPolicy(delay: .seconds(1), longestDelay: .seconds(60), jitter: 0)
    let waits = [0, 1, 2, 5, 6, 40, 1_000_000].map { policy.wait(after: $0, requested: nil, chance: 0) }
    #expect(waits == [1, 2, 4, 32, 60, 60, 60].map { .seconds($0) })
  }

  @Test func theTimeOfTheServerIsKeptBetweenTheShortestAndTheLongest() {
    let policy = ReconnectionPolicy(delay: .seconds(5), longestDelay: .seconds(60), jitter: 0)
    #expect(policy.wait(after: 0, requested: .seconds(30), chance: 0) == .seconds(30))
    #expect(policy.wait(after: 3, requested: .seconds(10), chance: 0) == .seconds(60))
    #expect(policy.wait(after: 0, requested: .zero, chance: 0) == .seconds(1))
    #expect(policy.wait(after: 2, requested: .milliseconds(1), chance: 0) == .seconds(4))
    for requested in [Duration.seconds(61), .milliseconds(Int64.max)] {
      for fruitless in [0, 1, 99] {
        #expect(policy.wait(after: fruitless, requested: requested, chance: .max) == .seconds(60))
      }
    }
    // What the caller chose is kept.
    #expect(ReconnectionPolicy(delay: .zero).wait(after: 9, requested: nil, chance: .max) == .zero)
    let patient = ReconnectionPolicy(shortestDelay: .zero, longestDelay: .seconds(Int64.max), jitter: 0)
    #expect(patient.wait(after: 9, requested: .zero, chance: .max) == .zero)
    let longest = Duration.milliseconds(Int64.max)
    #expect(patient.wait(after: 0, requested: longest, chance: .max) == longest)
    #expect(patient.wait(after: 99, requested: longest, chance: .max) == .seconds(Int64.max))
  }

  /// Clients that wait for the longest time come back apart too.
  @Test(arguments: [0, 1 << 20, 1 << 63, UInt64.max])
  func jitterAppliesToTheLongestDelayToo(chance: UInt64) {
    let policy = ReconnectionPolicy(longestDelay: .seconds(60), jitter: 0.5)
    let wait = policy.wait(after: 40, requested: .seconds(1_000_000), chance: chance)
    #expect(wait <= .seconds(60))
    #expect(wait > .seconds(39))
    #expect(chance == .max || wait < .seconds(59))
  }

  @Test(arguments: [0, 1 << 20, 1 << 63, UInt64.max])
  func jitterLengthensUpToItsShare(chance: UInt64) {
    for jitter in [-1, 0, 0.5, 1, 7, .nan, .infinity] as [Double] {
      let wait = ReconnectionPolicy(delay: .seconds(8), jitter: jitter).wait(
        after: 0,
        requested: nil,
        chance: chance
      )
      #expect(wait >= .seconds(8))
      #expect(wait <= .seconds(8) * (1 + min(max(jitter.isNaN ? 0 : jitter, 0), 1)))
    }
  }

  @Test func aNegativeDelayIsZero() {
    #expect(ReconnectionPolicy(delay: .seconds(-5)).wait(after: 3, requested: nil, chance: .max) == .zero)
  }
}
