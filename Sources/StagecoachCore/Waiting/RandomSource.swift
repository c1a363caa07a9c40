import Synchronization

/// A source of randomness for nonces, boundaries and jitter, which tests can replace by a seeded one.
public protocol RandomSource: Sendable {
  /// Returns the next 64 random bits.
  func next() -> UInt64
}

/// The cryptographically secure random generator of the system.
public struct SystemRandom: RandomSource {
  /// Creates the system's generator.
  public init() {}

  /// Returns the next 64 random bits.
  public func next() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}

/// A reproducible generator (SplitMix64) for tests. It is predictable, so do not use it for secrets.
public final class SeededRandom: RandomSource {
  package let seed: UInt64
  private let state: Atomic<UInt64>

  /// Creates a generator whose sequence depends only on the seed.
  public init(seed: UInt64) {
    self.seed = seed
    state = Atomic(seed)
  }

  /// Returns the next 64 bits of the sequence.
  public func next() -> UInt64 {
    var bits = state.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}

extension RandomSource {
  /// Returns a number from 0 up to but not including 1, with the precision of a double.
  package func share() -> Double { Double(next() >> 11) / Double(1 << 53 as UInt64) }
}
