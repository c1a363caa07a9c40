extension Request {
  /// The clock of the exchange.
  package var time: any TimeSource { exchange?.time ?? SystemTime() }

  /// Notes that it is sent again from now on.
  mutating func begin() {
    begun = exchange?.elapsed ?? .zero
  }

  /// The random numbers of the exchange.
  package var random: any RandomSource { exchange?.random ?? SystemRandom() }
}
