import Stagecoach
import Synchronization

/// What a check found.
public struct CheckResult: Sendable {
  /// The kinds of findings.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// It holds.
    case pass
    /// It does not hold, or it holds though a deviation is listed.
    case fail
    /// It does not hold, which is listed with its reason.
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
  /// - Parameters:
  ///   - check: The check.
  ///   - limit: How long it may take; 60 s by default, and at most 10 s where it is not claimed or known to fail.
  ///     What takes longer has failed, and is left alone.
  public func run(_ check: Check, within limit: Duration = .seconds(60)) async -> CheckResult {
    func result(_ outcome: CheckResult.Outcome, _ reason: String = "") -> CheckResult {
      CheckResult(transport: name, check: check, outcome: outcome, reason: reason)
    }
    let declared: TransportCapabilities
    do { declared = try await capabilities() } catch { return result(.fail, "it cannot be made: \(error)") }
    if case .inProcess = kind, !check.runsInProcess { return result(.notClaimed, "there is no wire") }
    let deviation = deviations.first { $0.check == check.number }
    if let deviation, deviation.endsProcess {
      return result(.deviation, "\(deviation.reason) [\(deviation.reference)]")
    }
    let isClaimed = declared.isSuperset(of: check.needs)
    // What need not hold is not waited for as long.
    let patience = isClaimed && deviation == nil ? limit : min(limit, .seconds(10))
    let failure = await failure(of: check, declared, within: patience)
    guard isClaimed else {
      return failure == nil ? result(.overDelivers) : result(.notClaimed)
    }
    switch (failure, deviation) {
    case (nil, nil): return result(.pass)
    case (nil, let deviation?):
      return result(.fail, "it holds now: take it out of the deviations (\(deviation.reason))")
    case (let failure?, nil): return result(.fail, failure)
    case (_?, let deviation?): return result(.deviation, "\(deviation.reason) [\(deviation.reference)]")
    }
  }

  /// Runs a check and ends what it made.
  private func failure(
    of check: Check,
    _ declared: TransportCapabilities,
    within limit: Duration
  ) async -> String? {
    let trial = Trial(of: self, declared)
    let failure = await Self.failure(within: limit) { try await check.body(trial) }
    let end = await Self.failure(within: .seconds(10)) { await trial.end() }
    return failure ?? end.map { "its shutdown: \($0)" }
  }

  /// Runs work in a task of its own, which is left behind if it does not end.
  static func failure(
    within limit: Duration,
    of work: @escaping @Sendable () async throws -> Void
  ) async -> String? {
    let ended = Ended()
    return await withCheckedContinuation { continuation in
      ended.hold(continuation)
      let task = Task {
        do {
          try await work()
          ended.resume(nil)
        } catch {
          ended.resume("\(error)")
        }
      }
      Task {
        try? await Task.sleep(for: limit)
        ended.resume("it did not end within \(limit)")
        task.cancel()
      }
    }
  }
}

/// Resumes once, with whatever comes first.
private final class Ended: Sendable {
  private let continuation = Mutex<CheckedContinuation<String?, Never>?>(nil)

  func hold(_ continuation: CheckedContinuation<String?, Never>) {
    self.continuation.withLock { $0 = continuation }
  }

  func resume(_ failure: String?) {
    let waiting = continuation.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    waiting?.resume(returning: failure)
  }
}
