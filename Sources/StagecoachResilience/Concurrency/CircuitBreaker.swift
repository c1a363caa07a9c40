import HTTPTypes
public import StagecoachCore
import Synchronization

/// A stage that stops sending requests to an origin after repeated failures: requests are refused immediately, instead
/// of waiting for a likely failure and adding load to the origin.
///
/// Each origin has a circuit. It opens when half of at least 20 calls within ten seconds failed, or when five
/// consecutive connections were refused. It stays open for 5 seconds, and twice as long after each failed probe, up to
/// a minute. Then one request at a time is let through; three successful ones close the circuit.
///
/// ```swift
/// let breaker = CircuitBreaker()
/// var pipeline = Pipeline.standard(over: transport)
/// pipeline.append(breaker)
/// let client = try Client(pipeline)
/// let origin = try TargetURI(parsing: "https://example.com/").origin
/// print(breaker.state(of: origin))  // closed
/// ```
///
/// A failure is a status of 500 or more except 501 and 505, a network failure, or a timeout of connection, head or
/// body. A call includes the body of its response. Statuses from 400 to 499, cancellations, and local failures (TLS
/// trust, limits, waiting for a slot) are not counted.
///
/// To a breaker below `Retry`, the end of `RetryPolicy.attemptTimeout` is a cancellation and is not counted: an origin
/// that hangs opens the circuit through `options.headTimeout` and `options.idleTimeout`, which are counted.
///
/// It is not part of the standard pipeline. Below retry, each attempt counts, and a retry waits for the circuit; above
/// ``ConcurrencyLimit``, refused requests need no slot.
public final class CircuitBreaker: Middleware {
  private let settings: Settings
  private let circuits: Mutex<Circuits>

  /// Creates a breaker whose circuits are all closed.
  ///
  /// - Parameters:
  ///   - settings: The conditions under which a circuit opens.
  ///   - originLimit: The maximum number of origins that are remembered; 1024 by default. Beyond it, the least
  ///     recently used origins are forgotten.
  public init(_ settings: Settings = Settings(), originLimit: Int = 1024) {
    self.settings = settings
    circuits = Mutex(Circuits(limit: originLimit))
  }

  /// Returns the state of an origin's circuit.
  public func state(of origin: TargetURI.Origin) -> State {
    circuits.withLock { $0.state(of: origin) }
  }

  /// Passes the request on, unless the circuit of its origin is open.
  ///
  /// - Throws: `ExchangeError` of kind `circuitOpen` with an underlying ``CircuitOpen``.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    guard request.options.usesCircuitBreaker, let key = TargetURI.Origin(request.head) else {
      return try await next(request)
    }
    let permit = try admit(key, request)
    do {
      var response = try await next(request)
      judge(&response, key, permit, request)
      return response
    } catch {
      record(Self.outcome(of: error), key, permit, request)
      throw error
    }
  }

  // These functions are not inlined into `handle`: its frame lives as long as its request.

  @inline(never)
  private func admit(_ key: TargetURI.Origin, _ request: Request) throws -> Circuit.Permit {
    let now = request.exchange?.clock.now ?? .now
    let admission = circuits.withLock { circuits in
      circuits.update(key) { $0.admit(at: now, settings) }
    }
    switch admission {
    case .permitted(let permit, let halfOpened):
      if halfOpened { request.emit(CircuitBreakerEvent.halfOpened(key)) }
      return permit
    case .rejected(let until):
      let circuit = CircuitOpen(origin: key, openUntil: until, retryAfter: until - now)
      request.emit(CircuitBreakerEvent.rejected(circuit.origin, retryAfter: circuit.retryAfter))
      var error = ExchangeError(
        .circuitOpen,
        circuit.description,
        underlying: circuit
      )
      error.requestMayHaveBeenSent = false
      error.retryAfter = circuit.retryAfter
      throw error
    }
  }

  @inline(never)
  private func judge(
    _ response: inout Response,
    _ key: TargetURI.Origin,
    _ permit: Circuit.Permit,
    _ request: Request
  ) {
    let outcome = Self.outcome(of: response.status)
    // A probe ends with its head, because a body may stream for hours. A later failure counts too.
    if outcome != .success || permit.isProbe { record(outcome, key, permit, request) }
    guard outcome == .success else { return }
    response.body.onEnd { end in
      if case .failed(let error) = end {
        let outcome = Self.outcome(of: error)
        if outcome != .uncounted { self.record(outcome, key, permit, request) }
      } else if !permit.isProbe {
        self.record(.success, key, permit, request)
      }
    }
  }

  @inline(never)
  private func record(
    _ outcome: Circuit.Outcome,
    _ key: TargetURI.Origin,
    _ permit: Circuit.Permit,
    _ request: Request
  ) {
    let now = request.exchange?.clock.now ?? .now
    let transition = circuits.withLock { circuits in
      circuits.update(key) { circuit in
        circuit.record(
          outcome,
          of: permit,
          at: now,
          jitter: { request.randomNumberGenerator.share() },
          settings
        )
      }
    }
    switch transition {
    case nil: break
    case .opened(let duration, let reason):
      request.emit(CircuitBreakerEvent.opened(key, for: duration, reason))
    case .closed: request.emit(CircuitBreakerEvent.closed(key))
    }
  }

  private static func outcome(of status: HTTPResponse.Status) -> Circuit.Outcome {
    switch status.code {
    case 400..<500: .uncounted
    case 501, 505: .success
    case 500...: .failure
    default: .success
    }
  }

  private static func outcome(of error: any Error) -> Circuit.Outcome {
    guard let error = error as? ExchangeError else { return .uncounted }
    switch error.kind {
    case .connectionRefused: return .refused
    case .nameResolution, .connectionFailed, .connectionReset, .incompleteBody, .protocolViolation,
      .tls(.handshake), .timeout(.connect), .timeout(.head), .timeout(.idle), .transport:
      return .failure
    // The error of a stage below that checks responses.
    case .status: return error.response.map { outcome(of: $0.status) } ?? .uncounted
    default: return .uncounted
    }
  }
}

/// The circuits of recently used origins.
///
/// They are kept in two halves: when the newer one is full, it becomes the older one, whose circuits are removed
/// unless they are used.
private struct Circuits: Sendable {
  private let half: Int
  private var newer: [TargetURI.Origin: Circuit] = [:]
  private var older: [TargetURI.Origin: Circuit] = [:]

  init(limit: Int) {
    half = max(1, limit / 2)
  }

  func state(of key: TargetURI.Origin) -> CircuitBreaker.State {
    (newer[key] ?? older[key])?.published ?? .closed
  }

  mutating func update<Result>(_ key: TargetURI.Origin, _ change: (inout Circuit) -> Result) -> Result {
    if let index = newer.index(forKey: key) { return change(&newer.values[index]) }
    var circuit = older.removeValue(forKey: key) ?? Circuit()
    if newer.count >= half {
      older = newer
      newer = [:]
    }
    defer { newer[key] = circuit }
    return change(&circuit)
  }
}
