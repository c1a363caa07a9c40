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
