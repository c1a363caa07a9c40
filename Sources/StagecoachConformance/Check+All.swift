extension Check {
  /// Returns all checks, in the order of their IDs.
  ///
  /// - Throws: ``ScriptError`` if a wire script cannot be read.
  public static func all() throws -> [Check] {
    let coded =
      messageChecks + bodyChecks + connectionChecks + proxyChecks + proxyRefusalChecks + reuseChecks
      + timeChecks + timeoutChecks + errorChecks + eventChecks + tlsChecks + pinChecks + http2Checks
      + http2CutChecks + octetChecks
    return (coded + (try ScriptedCheck.all())).sorted { $0.id < $1.id }
  }
}
