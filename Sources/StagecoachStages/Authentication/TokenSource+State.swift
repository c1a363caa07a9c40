import StagecoachCore

/// The state of a token source: its token, and the renewal in progress.
extension TokenSource {
  /// A token, and which one of the source it is.
  struct Held: Sendable {
    var token: Token
    var generation: Int
    /// On the clock of the exchanges; nil until one has seen the token.
    var given: ContinuousClock.Instant?
  }

  enum Outcome: Sendable {
    case held(Held)
    case failed(any Error)
    /// The renewal ended without a result: look again.
    case again
  }

  struct State {
    var held: Held?
    var generation = 0
    /// The last renewal.
    var flight: Flight<Outcome>?
    /// The failure of the last renewal.
    var failure: (any Error)?
    var backOff = BackOff(.seconds(1)...(.seconds(30)))
  }
}

extension TokenSource.State {
  @discardableResult
  mutating func hold(_ token: Token, at now: ContinuousClock.Instant?) -> TokenSource.Held {
    if generation == 0 { generation = 1 }
    let held = TokenSource.Held(token: token, generation: generation, given: now)
    self.held = held
    return held
  }

  /// Whether a renewal is in progress.
  var isRenewing: Bool { flight?.isOpen == true }

  /// - Parameter isAhead: Whether it begins before a request needs it, and goes on without one.
  mutating func newFlight(isAhead: Bool) -> Flight<TokenSource.Outcome> {
    let flight = Flight<TokenSource.Outcome>(endsAlone: !isAhead)
    self.flight = flight
    return flight
  }

  mutating func fail(_ error: ExchangeError, at now: ContinuousClock.Instant) -> any Error {
    failure = error
    backOff.fail(at: now)
    return error
  }

  /// Whether the token is near its end.
  func isDue(at now: ContinuousClock.Instant) -> Bool {
    guard let held, let lifetime = held.token.lifetime, let left = held.left(at: now) else { return false }
    return left < min(max(.seconds(10), lifetime / 20), lifetime / 2)
  }
}

extension TokenSource.Held {
  /// Returns the remaining lifetime of the token; `nil` if unknown.
  func left(at now: ContinuousClock.Instant) -> Duration? {
    guard let lifetime = token.lifetime, let given else { return nil }
    return given.advanced(by: lifetime) - now
  }
}
