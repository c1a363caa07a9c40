package import HTTPTypes

extension ExchangeError {
  /// Returns the error for a phase that exceeded its time limit.
  public static func timeout(_ phase: Phase, after limit: Duration) -> ExchangeError {
    let what =
      switch phase {
      case .pool: "no connection was available within"
      case .connect: "no connection was established within"
      case .head: "no response head arrived within"
      case .idle: "the body paused for longer than"
      case .attempt: "no response to the attempt arrived within"
      case .total: "the exchange did not finish within"
      }
    let option = phase == .attempt ? "retryPolicy.attemptTimeout" : "\(phase.rawValue)Timeout"
    return ExchangeError(
      .timeout(phase),
      "\(what) \(Format.duration(limit))",
      advice: "raise options.\(option) if the peer is expected to take longer",
      limit: Limit(option: option, value: Format.duration(limit))
    )
  }

  /// Creates the error for a limit that was reached.
  ///
  /// - Parameters:
  ///   - buffer: What the limit is for.
  ///   - message: What was too large.
  ///   - advice: What to do about it.
  ///   - limit: The name of the option that sets the limit, and its value with the unit.
  ///   - underlying: The error that reported it.
  public static func limit(
    _ buffer: Buffer,
    _ message: String,
    advice: String? = nil,
    limit: (option: String, value: String),
    underlying: (any Error)? = nil
  ) -> ExchangeError {
    ExchangeError(
      .limit(buffer),
      message,
      advice: advice,
      limit: Limit(option: limit.option, value: limit.value),
      underlying: underlying
    )
  }

  /// Returns the error for the total timeout, including the outcome of the previous attempt, which may be the reason.
  static func totalTimeout(after limit: Duration, in exchange: Exchange?) -> ExchangeError {
    var error = timeout(.total, after: limit)
    if let before = exchange?.withState(Exchange.answerBefore, { $0 }) {
      error.message += "; the previous attempt ended with \(before.outcome)"
      error.underlying = before.error
    }
    return error
  }

  /// Returns the error for a response body larger than the limit for collected bodies.
  package static func bodyLimit(_ limit: Int, declared: Int64? = nil, prefix: Bytes) -> ExchangeError {
    let size = declared.map { " of \($0) bytes" } ?? ""
    var error = ExchangeError.limit(
      .body,
      "the response body\(size) is larger than the limit of \(limit) bytes",
      advice: "raise options.bodyLimit, or read the body as a stream",
      limit: (RequestOptions.bodyLimit.name, "\(limit) bytes")
    )
    // A copy, because a slice would keep the whole buffer in memory as long as the error.
    error.bodyPrefix = Bytes(prefix.prefix(RequestOptions.errorBodyLimit.defaultValue).array)
    return error
  }

  /// Returns an error as it leaves a stage: completes an ``ExchangeError`` with what the pipeline knows, wraps any
  /// other error as the underlying error of a kind, and returns `CancellationError` unchanged.
  ///
  /// Any other error thrown while the task is cancelled is treated as cancellation.
  package static func wrapping(
    _ error: any Error,
    as kind: Kind = .stage,
    stage: String,
    request: Request,
    response: HTTPResponse? = nil,
    bodyPrefix: Bytes? = nil
  ) -> any Error {
    if error is CancellationError { return error }
    var wrapped: ExchangeError
    if let ours = error as? ExchangeError {
      guard ours.stage.isEmpty else { return ours }
      wrapped = ours
    } else {
      if Task.isCancelled { return CancellationError() }
      wrapped = ExchangeError(kind, Format.describe(error), underlying: error)
    }
    wrapped.stage = stage
    wrapped.request = Redaction.head(of: request)
    if wrapped.response == nil { wrapped.response = response }
    wrapped.response = wrapped.response.map(Redaction.head)
    if wrapped.bodyPrefix.isEmpty, let bodyPrefix { wrapped.bodyPrefix = bodyPrefix }
    let limit = request.options.errorBodyLimit
    if wrapped.bodyPrefix.count > limit {
      // A copy, because a slice would keep the whole body in memory as long as the error.
      wrapped.bodyPrefix = Bytes(wrapped.bodyPrefix.prefix(limit).array)
    }
    wrapped.attempts = request.exchange?.attempts ?? 0
    wrapped.hops = Int(request.hop)
    wrapped.elapsed = request.exchange?.elapsed
    if let limit = wrapped.limit { request.emit(.limitReached(limit)) }
    return wrapped
  }
}
