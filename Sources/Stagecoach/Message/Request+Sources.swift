extension Request {
  /// The clock of the exchange.
  package var time: any TimeSource { exchange?.time ?? SystemTime() }

  /// The random numbers of the exchange.
  package var random: any RandomSource { exchange?.random ?? SystemRandom() }
}
