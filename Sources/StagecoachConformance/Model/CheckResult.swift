import StagecoachCore

/// The result of a check.
public struct CheckResult: Sendable {
  /// The outcome of a check.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The requirement is met.
    case pass
    /// The requirement is not met, or the failure differs from the listed deviation, or it is met although a deviation
    /// is listed.
    case fail
    /// The requirement is not met, as listed with a reason.
    case deviation
    /// The transport does not declare the required capability.
    case notClaimed
    /// The transport does not declare the required capability, but meets the requirement.
    case overDelivers
  }

  /// The name of the transport.
  public let transport: String
  /// The check.
  public let check: Check
  /// The outcome.
  public let outcome: Outcome
  /// The reason, if any.
  public let reason: String
}

extension Subject {
  /// Runs a check.
  ///
  /// A check that exceeds its time limit has failed, whatever deviation is listed, because a deviation describes a
  /// failure and a check that hangs has none. A check whose failure differs from the listed deviation has failed too.
  ///
  /// - Parameters:
  ///   - check: The check.
  ///   - limit: The maximum time; 60 s by default, and at most 10 s if the capability is not declared. A check that
  ///     takes longer is abandoned.
  public func run(_ check: Check, within limit: Duration = .seconds(60)) async -> CheckResult {
    func result(_ outcome: CheckResult.Outcome, _ reason: String = "") -> CheckResult {
      CheckResult(transport: name, check: check, outcome: outcome, reason: reason)
    }
    let declared: TransportCapabilities
    do { declared = try await capabilities() } catch {
      return result(.fail, "the transport could not be created: \(error)")
    }
    if case .inProcess = kind, !check.runsInProcess {
      return result(.notClaimed, "the transport has no wire")
    }
    let deviation = deviations.first { $0.check == check.number }
    if let deviation, deviation.failure == nil {
      return result(.deviation, "\(deviation.reason) [\(deviation.reference)]")
    }
    let isClaimed = declared.isSuperset(of: check.needs)
    // An optional requirement gets less time.
    let patience = isClaimed ? limit : min(limit, .seconds(10))
    let finding = await finding(of: check, declared, within: patience)
    if case .notRun(let reason) = finding { return result(.notClaimed, reason) }
    guard isClaimed else { return result(finding == nil ? .overDelivers : .notClaimed) }
    switch (finding, deviation) {
    case (nil, nil): return result(.pass)
    case (nil, let deviation?):
      return result(.fail, "the requirement is met now: remove it from the deviations (\(deviation.reason))")
    case (.hung(let what)?, _): return result(.fail, what)
    case (let finding?, nil): return result(.fail, finding.text)
    case (let finding?, let deviation?):
      let failure = deviation.failure ?? ""
      guard finding.text.contains(failure) else {
        return result(.fail, "the failure differs from the listed one (\"\(failure)\"): \(finding.text)")
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
