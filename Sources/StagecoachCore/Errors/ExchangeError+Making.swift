import HTTPTypes

extension ExchangeError {
  /// A phase that took longer than its limit.
  public static func timeout(_ phase: Phase, after limit: Duration) -> ExchangeError {
    let what =
      switch phase {
      case .pool: "no connection became free within"
      case .connect: "no connection was made within"
      case .head: "no response head came within"
      case .idle: "the body paused for longer than"
      case .attempt: "the attempt was not answered within"
      case .total: "the exchange was not finished within"
      }
    let option = phase == .attempt ? "retryPolicy.attemptTimeout" : "\(phase.rawValue)Timeout"
    return ExchangeError(
      .timeout(phase),
      "\(what) \(Format.duration(limit))",
      advice: "raise options.\(option) if the peer is expected to take that long",
      limit: Limit(option: option, value: Format.duration(limit))
    )
  }

  /// The end of all the time that there was, with what an attempt before had ended with: that may be the reason.
  static func totalTimeout(after limit: Duration, in exchange: Exchange?) -> ExchangeError {
    var error = timeout(.total, after: limit)
    if let repeated = exchange?.repeatedAttempt {
      error.message += "; the attempt before ended with \(repeated.cause)"
      error.underlying = repeated.error
    }
    return error
  }

  /// A response body larger than what may be collected.
  static func bodyLimit(_ limit: Int, declared: Int64? = nil, prefix: Bytes) -> ExchangeError {
    let size = declared.map { "of \($0) bytes" } ?? "of more than \(limit) bytes"
    var error = ExchangeError(
      .limit(.body),
      "a response body \(size) would have to be collected, the limit is \(limit) bytes",
      advice: "raise options.bodyLimit, or read the body as a stream",
      limit: Limit(option: RequestOptions.bodyLimit.name, value: "\(limit) bytes")
    )
    // A copy, since a slice would keep all that was received in memory as long as the error.
    error.bodyPrefix = Bytes(prefix.prefix(RequestOptions.errorBodyLimit.defaultValue).array)
    return error
  }

  /// An error as it leaves a stage: one of ours gets what it does not know yet, a foreign one becomes
  /// the underlying error of a kind, and `CancellationError` stays what it is.
  ///
  /// What a foreign stage throws because the task was cancelled is cancellation, by whatever name.
  static func wrapping(
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
      // A copy, since a slice would keep the whole body in memory as long as the error.
      wrapped.bodyPrefix = Bytes(wrapped.bodyPrefix.prefix(limit).array)
    }
    wrapped.attempts = request.exchange?.attempts ?? 0
    wrapped.hops = Int(request.hop)
    wrapped.elapsed = request.exchange?.elapsed
    if let limit = wrapped.limit { request.emit(.limitReached(limit)) }
    return wrapped
  }
}
