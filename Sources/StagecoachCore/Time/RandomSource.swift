import Synchronization

/// The source of chance of a client: nonces, boundaries and jitter are drawn from it, so that a test
/// can inject a seeded one.
public protocol RandomSource: Sendable {
  /// The next 64 random bits.
  func next() -> UInt64
}

/// The system's cryptographically secure generator.
public struct SystemRandom: RandomSource {
  /// The system's generator.
  public init() {}

  /// The next 64 random bits.
  public func next() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}

/// A reproducible generator (SplitMix64) for tests; predictable, so never for secrets.
public final class SeededRandom: RandomSource {
  private let state: Atomic<UInt64>

  /// A generator whose sequence the seed determines.
  public init(seed: UInt64) {
    state = Atomic(seed)
  }

  /// The next 64 bits of the sequence.
  public func next() -> UInt64 {
    var bits = state.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
