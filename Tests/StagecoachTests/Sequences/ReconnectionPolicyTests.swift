import Testing

@testable import Stagecoach

@Suite struct ReconnectionPolicyTests {
  @Test func theDelayDoublesUpToTheLongest() {
    let policy = ReconnectionPolicy(delay: .seconds(1), longestDelay: .seconds(60))
    let waits = [0, 1, 2, 5, 6, 40, 1_000_000].map { policy.wait(after: $0, requested: nil, chance: 0) }
    #expect(waits == [1, 2, 4, 32, 60, 60, 60].map { .seconds($0) })
  }

  @Test func aLongerTimeOfTheServerIsKept() {
    let policy = ReconnectionPolicy(delay: .seconds(1), longestDelay: .seconds(60))
    #expect(policy.wait(after: 3, requested: .seconds(90), chance: 0) == .seconds(90))
    #expect(policy.wait(after: 3, requested: .seconds(10), chance: 0) == .seconds(60))
    #expect(policy.wait(after: 0, requested: .zero, chance: .max) == .zero)
    let longest = Duration.milliseconds(Int64.max)
    #expect(policy.wait(after: 99, requested: longest, chance: .max) >= longest)
  }

  @Test(arguments: [0, 1 << 20, 1 << 63, UInt64.max])
  func chanceLengthensUpToTheShare(chance: UInt64) {
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

  @Test func aNegativeDelayIsNone() {
    #expect(ReconnectionPolicy(delay: .seconds(-5)).wait(after: 3, requested: nil, chance: .max) == .zero)
  }
}
