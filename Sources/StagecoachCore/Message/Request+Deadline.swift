extension Request {
  /// When the exchange has to be finished, on the clock of the client: ``RequestOptions/totalTimeout`` after its start.
  /// Nil without such a limit, or before a client or a pipeline sends the request.
  public var deadline: ContinuousClock.Instant? {
    guard let exchange, let total = options.totalTimeout else { return nil }
    return exchange.start.advanced(by: total)
  }
}
