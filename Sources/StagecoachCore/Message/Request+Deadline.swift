extension Request {
  /// The deadline of the exchange, on the clock of the client: its start plus ``RequestOptions/totalTimeout``; `nil`
  /// without such a limit, or before a client or a pipeline sends the request.
  public var deadline: ContinuousClock.Instant? {
    guard let exchange, let total = options.totalTimeout else { return nil }
    return exchange.start.advanced(by: total)
  }
}
