public import StagecoachCore

/// The underlying error of kind `circuitOpen`: the origin and the time until the next request.
///
/// ```swift
/// do {
///   let user: User = try await client.get("users/7")
/// } catch let error as ExchangeError {
///   if let circuit = error.underlying as? CircuitOpen { print("again in", circuit.retryAfter) }
/// }
/// ```
public struct CircuitOpen: Error, Sendable, Hashable, CustomStringConvertible {
  /// The origin of the circuit.
  public let origin: TargetURI.Origin
  /// The instant before which no request passes, on the clock of the client.
  public let openUntil: ContinuousClock.Instant
  /// The time from the refusal to that instant.
  public let retryAfter: Duration

  /// A description with the origin and the time.
  public var description: String {
    "the circuit of \(origin) is open for another \(Format.duration(retryAfter))"
  }
}

/// The reason that a ``CircuitBreaker`` ends an exchange.
@nonexhaustive
public enum CircuitFailure: String, StageFailure {
  /// The circuit of the origin is open after repeated failures.
  case open = "circuitOpen"

  /// The stable name.
  public var description: String { rawValue }

  /// Advice to send the request later.
  public var advice: String? { "the origin failed repeatedly: retry later" }

  /// Whether the origin may answer later: yes.
  public var isTransient: Bool { true }
}

extension ExchangeError.Kind {
  /// The circuit of the origin is open after repeated failures; see ``CircuitBreaker``.
  public static var circuitOpen: Self { .stageFailure(CircuitFailure.open) }
}
