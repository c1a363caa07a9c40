package import StagecoachCore

/// The inputs of generators.
package struct GeneratorContext: Sendable {
  /// The side that uses a message.
  package enum Side: Sendable, Hashable {
    /// The mock server of a consumer test; values of provider states keep their examples.
    case consumer
    /// The verifier of a provider; URLs of mock servers keep their examples.
    case provider
  }

  /// The side that uses the message.
  package var side: Side
  /// The source of random values.
  package var randomSource: any RandomSource
  /// The clock of dates.
  package var clock: any TimeSource
  /// The values that handlers of provider states returned.
  package var providerState: JSONObject
  /// The base URL of the mock server.
  package var mockServerURL: String?

  package init(
    side: Side = .provider,
    randomSource: any RandomSource = SystemRandom(),
    clock: any TimeSource = SystemTime(),
    providerState: JSONObject = JSONObject(),
    mockServerURL: String? = nil
  ) {
    self.side = side
    self.randomSource = randomSource
    self.clock = clock
    self.providerState = providerState
    self.mockServerURL = mockServerURL
  }

  /// Returns a random number below a bound, which is at least 1.
  func random(below bound: Int) -> Int {
    var generator = SourceGenerator(source: randomSource)
    return Int.random(in: 0..<max(bound, 1), using: &generator)
  }

  func random(in range: ClosedRange<Int>) -> Int {
    var generator = SourceGenerator(source: randomSource)
    return Int.random(in: range, using: &generator)
  }

  /// Returns a text of random characters.
  func text(of alphabet: String, count: Int) -> String {
    let characters = Array(alphabet)
    return String((0..<max(count, 0)).map { _ in characters[random(below: characters.count)] })
  }
}

private struct SourceGenerator: RandomNumberGenerator {
  let source: any RandomSource

  mutating func next() -> UInt64 { source.next() }
}
