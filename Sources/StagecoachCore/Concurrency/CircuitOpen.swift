/// The circuit of an origin was open: what the underlying error of kind ``ExchangeError/Kind/circuitOpen`` says.
///
/// ```swift
/// do {
///   let user: User = try await client.get("users/7")
/// } catch let error as ExchangeError {
///   if let circuit = error.underlying as? CircuitOpen { print("again in", circuit.retryAfter) }
/// }
/// ```
public struct CircuitOpen: Error, Sendable, Hashable, CustomStringConvertible {
  /// Whose circuit it is.
  public let origin: TargetURI.Origin
  /// No request is let through before this instant, on the clock of the client.
  public let openUntil: ContinuousClock.Instant
  /// How long that is from the refusal.
  public let retryAfter: Duration

  /// The origin and the time.
  public var description: String {
    "the circuit of \(origin) is open for another \(Format.duration(retryAfter))"
  }
}
