import StagecoachCore
import Synchronization

/// A source of bearer tokens that are renewed, with one renewal at a time.
///
/// ```swift
/// struct Answer: Decodable, Sendable {
///   var access_token: String
///   var expires_in: Int
/// }
/// let tokens = TokenSource { _ in
///   let answer: Answer = try await client.post("token", .form(["grant_type": "client_credentials"]))
///   return Token(answer.access_token, lifetime: .seconds(answer.expires_in))
/// }
/// let authentication = try Authentication(bearer: tokens, for: "https://api.example.com")
/// ```
///
/// The first token is requested when the first request needs it. Later a token is renewed when a server refuses it,
/// once for all requests that used it, and not at all if there is a newer token already. It is also renewed ahead of
/// its expiry, while it is still in use: when less than 5 % of its lifetime is left, but at least 10 seconds and at
/// most half of the lifetime.
///
/// A renewal belongs to the client whose request started it. It continues when that request is cancelled, and ends
/// when no request waits for it any more. Its failure is reported to all waiting requests and to those of the next
/// second; consecutive failures double that time, up to 30 seconds. A request that the closure itself sends through
/// the same stage is sent without a token.
public final class TokenSource: Sendable {
  /// The sources whose renewal the task is part of.
  @TaskLocal private static var renewing: Set<ObjectIdentifier> = []

  private let refresh: @Sendable (Token?) async throws -> Token
  private let timeout: Duration
  private let state: Mutex<State>

  /// Creates a source of tokens.
  ///
  /// - Parameters:
  ///   - token: The initial token, whose lifetime starts with its first use; `nil`, the default, to request one.
  ///   - timeout: The maximum time for a renewal; 30 s by default.
  ///   - refresh: Returns a new token, given the previous one, if any.
  public init(
    _ token: Token? = nil,
    timeout: Duration = .seconds(30),
    refresh: @escaping @Sendable (Token?) async throws -> Token
  ) {
    self.refresh = refresh
    self.timeout = timeout
    var state = State()
    if let token { state.hold(token, at: nil) }
    self.state = Mutex(state)
  }

  /// Replaces the current token, for example after a login; `nil` to have the next request ask for one.
  ///
  /// A renewal in progress ends without a result, and requests that wait for it check again.
  public func set(_ token: Token?) {
    let flight = state.withLock { state in
      defer { state.flight = nil }
      state.generation += 1
      state.held = nil
      state.failure = nil
      state.backOff.reset()
      if let token { state.hold(token, at: nil) }
      return state.flight
    }
    flight?.land(with: .success(.again))
  }

  /// Returns the token for a request; `nil` for a request that the renewal itself sends.
  func current(for request: Request) async throws -> Held? {
    guard !Self.renewing.contains(ObjectIdentifier(self)) else { return nil }
    let now = request.clock.now
    let (held, isDue, generation) = state.withLock { state in
      if state.held?.given == nil { state.held?.given = now }
      let left = state.held?.left(at: now)
      let isDue = !state.isRenewing && state.isDue(at: now) && !state.backOff.rests(at: now)
      return (left.map { $0 > .zero } == false ? nil : state.held, isDue, state.generation)
    }
    guard let held else { return try await renewed(after: generation, for: request) }
    if isDue { renewAhead(of: held, for: request) }
    return held
  }

  /// Returns a token newer than a generation, renewing it if necessary.
  func renewed(after generation: Int, for request: Request) async throws -> Held? {
    guard !Self.renewing.contains(ObjectIdentifier(self)) else { return nil }
    while true {
      try Task.checkCancellation()
      switch ticket(after: generation, at: request.clock.now) {
      case .held(let held): return held
      case .failed(let error):
        request.emit(AuthenticationEvent.refreshFailed)
        throw error
      case .started(let flight, let waiter):
        request.emit(AuthenticationEvent.refreshStarted)
        try launch(flight, for: request)
        if let held = try await end(of: flight, waiter, for: request) { return held }
      case .joined(let flight, let waiter):
        request.emit(AuthenticationEvent.refreshJoined)
        if let held = try await end(of: flight, waiter, for: request) { return held }
      }
    }
  }

  private enum Ticket {
    case held(Held)
    case failed(any Error)
    case started(Flight<Outcome>, Waiter<Outcome>)
    case joined(Flight<Outcome>, Waiter<Outcome>)
  }

  private func ticket(after generation: Int, at now: ContinuousClock.Instant) -> Ticket {
    state.withLock { state in
      if let held = state.held, held.generation > generation { return .held(held) }
      let waiter = Waiter<Outcome>()
      if let flight = state.flight, flight.add(waiter) { return .joined(flight, waiter) }
      if let error = state.failure, state.backOff.rests(at: now) { return .failed(error) }
      let flight = state.newFlight(isAhead: false)
      _ = flight.add(waiter)
      return .started(flight, waiter)
    }
  }

  private func renewAhead(of held: Held, for request: Request) {
    let flight = state.withLock { state -> Flight<Outcome>? in
      guard !state.isRenewing, state.generation == held.generation else { return nil }
      return state.newFlight(isAhead: true)
    }
    guard let flight else { return }
    request.emit(AuthenticationEvent.refreshStarted)
    // The token is still valid, so it does not matter that the client that would renew it is gone.
    try? launch(flight, for: request)
  }

  private func launch(_ flight: Flight<Outcome>, for request: Request) throws {
    let time = request.clock
    guard let background = request.exchange?.background else {
      begin(flight, on: time)
      return
    }
    let isOwned = background.run { [self] in
      await withTaskCancellationHandler {
        await begin(flight, on: time)?.value
      } onCancel: {
        abandon(flight)
      }
    }
    guard !isOwned else { return }
    abandon(flight)
    throw ExchangeError(.shutdown, "the client was shut down", advice: "create a new client")
  }

  /// Starts the renewal and its timer; returns `nil` if no request needs it any more.
  @discardableResult
  private func begin(_ flight: Flight<Outcome>, on time: any TimeSource) -> Task<Void, Never>? {
    let deadline = time.now.advanced(by: timeout)
    let renewing = Self.renewing.union([ObjectIdentifier(self)])
    let old = state.withLock { $0.held?.token }
    var started: Task<Void, Never>?
    flight.begin {
      let work = Task { [self] in
        let result: Result<Token, any Error>
        do {
          result = .success(try await Self.$renewing.withValue(renewing) { try await refresh(old) })
        } catch {
          result = .failure(error)
        }
        finish(flight, with: result, at: time.now)
      }
      started = work
      // The timer releases the renewal that it must not wait for any longer, without waiting for its end.
      let timer = time.timer(at: deadline) { [self] in
        finish(flight, with: .failure(Self.timedOut(timeout)), at: time.now)
      }
      return [work, timer]
    }
    return started
  }

  private static func timedOut(_ limit: Duration) -> ExchangeError {
    ExchangeError(
      .authentication(.refreshTimedOut),
      "the token was not renewed within \(Format.duration(limit))",
      advice: "raise the timeout of the token source if its server is expected to take longer"
    )
  }

  private func finish(
    _ flight: Flight<Outcome>,
    with result: Result<Token, any Error>,
    at now: ContinuousClock.Instant
  ) {
    let outcome = state.withLock { state -> Outcome? in
      guard state.flight === flight, flight.isOpen else { return nil }
      state.flight = nil
      switch result {
      case .success(let token) where token.isSendable:
        state.generation += 1
        state.failure = nil
        state.backOff.reset()
        return .held(state.hold(token, at: now))
      case .success: return .failed(state.fail(Token.unsendable(.refreshFailed), at: now))
      case .failure(let error): return .failed(state.fail(Self.failure(for: error), at: now))
      }
    }
    // Without the lock: landing cancels the renewal, whose handlers may call this source.
    if let outcome { flight.land(with: .success(outcome)) }
  }

  private static func failure(for error: any Error) -> ExchangeError {
    if let ours = error as? ExchangeError, case .authentication(.refreshTimedOut) = ours.kind,
      ours.stage.isEmpty
    {
      return ours
    }
    return ExchangeError(
      .authentication(.refreshFailed),
      "the token could not be renewed",
      advice: "see the cause; the user may have to log in again",
      underlying: error
    )
  }

  /// Ends a renewal without a result; waiting requests check again.
  private func abandon(_ flight: Flight<Outcome>) { flight.land(with: .success(.again)) }

  // MARK: Waiting

  private func end(
    of flight: Flight<Outcome>,
    _ waiter: Waiter<Outcome>,
    for request: Request
  ) async throws -> Held? {
    switch try await flight.outcome(waiter) {
    case .held(let held):
      request.emit(AuthenticationEvent.refreshed)
      return held
    case .failed(let error):
      request.emit(AuthenticationEvent.refreshFailed)
      throw error
    case .again: return nil
    }
  }
}

extension TokenSource: Hashable {
  /// Returns whether both are the same object.
  public static func == (a: TokenSource, b: TokenSource) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension TokenSource: CustomReflectable {
  /// An empty mirror, so that the token is not shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
