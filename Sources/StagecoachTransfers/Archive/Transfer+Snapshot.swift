import StagecoachCore

extension Transfer {
  /// Returns the transfer as a value that can be stored. The transfer goes on undisturbed.
  ///
  /// - Parameter isComplete: Whether secrets of the request are kept too: the values of Authorization, Cookie,
  ///   Proxy-Authorization and other sensitive fields, and the user information of the URL. Credentials that are
  ///   options are never kept.
  /// - Throws: `ExchangeError` of kind `bodyNotReplayable` if the content of the request is a stream, of kind
  ///   `unsupported` if the response goes to a sink.
  public func snapshot(includingSecrets isComplete: Bool = false) throws -> TransferSnapshot {
    let progress = progress.received
    let work = try work.archived(withSecrets: isComplete)
    let current = state
    // The outcome comes with the state, and is read last.
    let outcome = outcome.map { ArchivedOutcome($0) }
    let state = outcome != nil ? .finished : current == .finished ? .executing : current
    return TransferSnapshot(state, work, response.map { ArchivedResponse($0) }, outcome, progress)
  }
}
