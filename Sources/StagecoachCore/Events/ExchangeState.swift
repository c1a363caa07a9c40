/// A key for the state that a stage keeps in an exchange across hops and attempts: a constant of the stage, compared
/// by identity.
///
/// ```swift
/// struct CountsItself: Middleware {
///   private static let visits = ExchangeState(0)
///
///   func handle(_ request: Request, next: Next) async throws -> Response {
///     request.exchange?.withState(Self.visits) { $0 += 1 }
///     return try await next(request)
///   }
/// }
/// ```
public final class ExchangeState<Value: Sendable>: Sendable {
  let initialValue: Value

  /// Creates a key whose state starts with this value in each exchange.
  public init(_ initialValue: Value) {
    self.initialValue = initialValue
  }
}
