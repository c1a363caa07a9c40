import StagecoachCore

extension Transfer {
  /// Returns a new transfer of the same request to the same place, for one that failed. A download goes on from the
  /// bytes that were kept.
  ///
  /// The request with all its options (credential, trust, limits and tags), the serializer, the file and its checks
  /// are the same. Observers and the queue are not.
  ///
  /// - Throws: `ExchangeError` of kind `bodyNotReplayable` if the content of the request could be sent only once.
  public func makeRetry() throws -> Transfer<Output> {
    Transfer(request, clock: clock, work: try work.renewed())
  }
}
