public import StagecoachFormats

extension Request {
  /// The origin that the request is sent to; `nil` before its URL is resolved against the base URL of the client.
  public var origin: TargetURI.Origin? { TargetURI.Origin(head) }

  /// The clock of the client; the system clock without a client.
  public var clock: any TimeSource { exchange?.clock ?? SystemTime() }

  /// Records the time at which the request is sent again.
  package mutating func begin() {
    begun = exchange?.elapsed ?? .zero
  }

  /// The random number generator of the client; the system's without a client.
  public var randomNumberGenerator: any RandomSource { exchange?.randomNumberGenerator ?? SystemRandom() }
}
