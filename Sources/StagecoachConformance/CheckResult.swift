import StagecoachCore

/// What a check found.
public struct CheckResult: Sendable {
  /// The kinds of findings.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// It holds.
    case pass
    /// It does not hold, or not in the way that is listed, or it holds though a deviation is listed.
    case fail
    /// It does not hold in the way that is listed with its reason.
    case deviation
    /// It is about something that the transport does not declare.
    case notClaimed
    /// It is about something that the transport does not declare, and holds.
    case overDelivers
  }

  /// The name of the transport.
  public let transport: String
  /// The check.
  public let check: Check
  /// What was found.
  public let outcome: Outcome
  /// Why, where there is something to say.
  public let reason: String
}

extension Subject {
  /// Runs a check.
  ///
  /// A check that does not end in its time has failed, whatever deviation is listed: a deviation says how a check fails,
  /// and one that hangs says nothing. So has one whose failure is not the one that the deviation names.
  ///
  /// - Parameters:
  ///   - check: The check.
  ///   - limit: How long it may take; 60 s by default, and at most 10 s where it is not claimed. What takes longer is
  ///     left alone.
  public func run(_ check: Check, within limit: Duration = .seconds(60)) async -> CheckResult {
    func result(_ outcome: CheckResult.Outcome, _ reason: String = "") -> CheckResult {
      CheckResult(transport: name, check: check, outcome: outcome, reason: reason)
    }
    let declared: TransportCapabilities
    do { declared = try await capabilities() } catch { return result(.fail, "it cannot be made: \(error)") }
    if case .inProcess = kind, !check.runsInProcess { return result(.notClaimed, "there is no wire") }
    let deviation = deviations.first { $0.check == check.number }
    if let deviation, deviation.failure == nil {
      return result(.deviation, "\(deviation.reason) [\(deviation.reference)]")
    }
    let isClaimed = declared.isSuperset(of: check.needs)
    // What need not hold is not waited for as long.
    let patience = isClaimed ? limit : min(limit, .seconds(10))
    let finding = await finding(of: check, declared, within: patience)
    if case .notRun(let reason) = finding { return result(.notClaimed, reason) }
    guard isClaimed else { return result(finding == nil ? .overDelivers : .notClaimed) }
    switch (finding, deviation) {
    case (nil, nil): return result(.pass)
    case (nil, let deviation?):
      return result(.fail, "it holds now: take it out of the deviations (\(deviation.reason))")
    case (.hung(let what)?, _): return result(.fail, what)
    case (let finding?, nil): return result(.fail, finding.text)
    case (let finding?, let deviation?):
      let failure = deviation.failure ?? ""
      guard finding.text.contains(failure) else {
        return result(.fail, "it fails otherwise than listed (\"\(failure)\"): \(finding.text)")
      }
      return result(.deviation, "\(deviation.reason) [\(deviation.reference)]")
    }
  }

  /// Runs a check and ends what it made.
  private func finding(
    of check: Check,
    _ declared: TransportCapabilities,
    within limit: Duration
  ) async -> Finding? {
    let trial = Trial(of: self, declared)
    let finding = await Finding.of(within: limit) { try await check.body(trial) }
    let end = await Finding.of(within: .seconds(10)) { await trial.end() }
    // A shutdown that hangs counts for more than what the check found, which may be listed.
    guard case .hung(let what) = end else { return finding }
    if case .hung = finding { return finding }
    return .hung("its shutdown: \(what)")
  }
}
