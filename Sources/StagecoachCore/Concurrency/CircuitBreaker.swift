import HTTPTypes
import Synchronization

/// The stage that leaves an origin alone for a while when it keeps failing: requests are refused at once,
/// instead of waiting for what will fail and keeping the origin from its recovery.
///
/// For each origin there is a circuit. It opens when half of at least 20 calls within ten seconds failed, or when
/// five connections in a row were refused; it stays open for 5 seconds, and twice as long each time that does
/// not help, up to a minute. Then one request at a time is let through; three good ones close the circuit.
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
/// A failure is a status of 500 and more, save 501 and 505, a failure of the network, and a timeout of connection,
/// head or body. A call is judged by its body as well as by its head. Statuses from 400 to 499, cancellations, and
/// failures on this side (TLS trust, limits, waiting for a slot) do not count for either side.
///
/// The end of ``RetryPolicy/attemptTimeout`` is a cancellation to a breaker below ``Retry``, and does not count either:
/// an origin that hangs opens the circuit by ``RequestOptions/headTimeout`` and ``RequestOptions/idleTimeout``, which
/// do count.
///
/// It is no part of the standard chain. Below retry, each attempt counts, and a retry waits for the circuit;
/// above ``ConcurrencyLimit``, what is refused waits for no slot.
public final class CircuitBreaker: Middleware {
  private let settings: Settings
  private let circuits: Mutex<Circuits>

  /// A breaker whose circuits are all closed.
  ///
  /// - Parameters:
  ///   - settings: When a circuit opens, and for how long.
  ///   - originLimit: How many origins are remembered at most; 1024 by default. Of more, those that were not
  ///     asked for longest are forgotten, and begin anew.
  public init(_ settings: Settings = Settings(), originLimit: Int = 1024) {
    self.settings = settings
    circuits = Mutex(Circuits(limit: originLimit))
  }

  /// The state of an origin's circuit.
  public func state(of origin: TargetURI.Origin) -> State {
    circuits.withLock { $0.state(of: OriginKey(origin)) }
  }

  /// Passes the request on, unless the circuit of its origin is open.
  ///
  /// - Throws: ``ExchangeError`` of kind `circuitOpen` with ``CircuitOpen`` underneath.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    guard request.options.usesCircuitBreaker else { return try await next(request) }
    let key = OriginKey(request.head)
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

  // What follows stays out of `handle`: every request in flight holds its frame.

  @inline(never)
  private func admit(_ key: OriginKey, _ request: Request) throws -> Circuit.Permit {
    let now = request.exchange?.time.now ?? .now
    let admission = circuits.withLock { circuits in
      circuits.update(key) { $0.admit(at: now, settings) }
    }
    switch admission {
    case .permitted(let permit, let halfOpened):
      if halfOpened { request.emit(.circuitBreaker(.halfOpened(key.origin))) }
      return permit
    case .rejected(let until):
      let circuit = CircuitOpen(origin: key.origin, openUntil: until, retryAfter: until - now)
      request.emit(.circuitBreaker(.rejected(circuit.origin, retryAfter: circuit.retryAfter)))
      var error = ExchangeError(
        .circuitOpen,
        circuit.description,
        advice: "the origin failed too often: ask it again later",
        underlying: circuit
      )
      error.requestMayHaveBeenSent = false
      throw error
    }
  }

  @inline(never)
  private func judge(
    _ response: inout Response,
    _ key: OriginKey,
    _ permit: Circuit.Permit,
    _ request: Request
  ) {
    let outcome = Self.outcome(of: response.status)
    // A probe is over with its head: a body may stream for hours. If it fails later on, that counts as well.
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
    _ key: OriginKey,
    _ permit: Circuit.Permit,
    _ request: Request
  ) {
    let now = request.exchange?.time.now ?? .now
    let transition = circuits.withLock { circuits in
      circuits.update(key) { circuit in
        circuit.record(outcome, of: permit, at: now, jitter: { request.random.share() }, settings)
      }
    }
    switch transition {
    case nil: break
    case .opened(let duration, let reason):
      request.emit(.circuitBreaker(.opened(key.origin, for: duration, reason)))
    case .closed: request.emit(.circuitBreaker(.closed(key.origin)))
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
    // Of a stage below that judges responses.
    case .status: return error.response.map { outcome(of: $0.status) } ?? .uncounted
    default: return .uncounted
    }
  }
}

/// The circuits of the origins that were asked for lately.
///
/// They are kept in two halves: when the newer one is full, it becomes the older one, whose circuits are forgotten
/// unless somebody asks for them.
private struct Circuits: Sendable {
  private let half: Int
  private var newer: [OriginKey: Circuit] = [:]
  private var older: [OriginKey: Circuit] = [:]

  init(limit: Int) {
    half = max(1, limit / 2)
  }

  func state(of key: OriginKey) -> CircuitBreaker.State {
    (newer[key] ?? older[key])?.published ?? .closed
  }

  mutating func update<Result>(_ key: OriginKey, _ change: (inout Circuit) -> Result) -> Result {
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
