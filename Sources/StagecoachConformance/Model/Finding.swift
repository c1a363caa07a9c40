import Synchronization

/// The reason that a requirement was not met, if it was not.
enum Finding: Sendable, Hashable {
  /// It ended, with this.
  case failed(String)
  /// It did not end in its time.
  case hung(String)
  /// It could not be run, for this reason, which is not the transport's.
  case notRun(String)

  /// A description of the finding.
  var text: String {
    switch self {
    case .failed(let text), .hung(let text), .notRun(let text): text
    }
  }

  /// Runs work in a separate task, which is cancelled and abandoned if it does not end.
  ///
  /// - Returns: The finding; `nil` if the requirement was met.
  static func of(
    within limit: Duration,
    _ work: @escaping @Sendable () async throws -> Void
  ) async -> Finding? {
    let end = FirstEnd()
    let task = Task {
      do {
        try await work()
        end.come(nil)
      } catch let error as CheckNotRun {
        end.come(.notRun(error.reason))
      } catch {
        end.come(.failed("\(error)"))
      }
    }
    let timer = Task {
      do { try await Task.sleep(for: limit) } catch { return }
      end.come(.hung("it did not end within \(limit)"))
      task.cancel()
    }
    defer { timer.cancel() }
    return await end.first
  }
}

/// The error of a check that cannot run in this build.
struct CheckNotRun: Error {
  /// The reason.
  let reason: String
}

/// Gives its only reader whatever comes first.
private final class FirstEnd: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Finding?, Never>)
    case come(Finding?)
  }

  private let state = Mutex(State.open)

  var first: Finding? {
    get async {
      await withCheckedContinuation { continuation in
        let finding = state.withLock { state -> Finding?? in
          if case .come(let finding) = state { return .some(finding) }
          state = .awaited(continuation)
          return nil
        }
        if let finding { continuation.resume(returning: finding) }
      }
    }
  }

  func come(_ finding: Finding?) {
    let reader = state.withLock { state -> CheckedContinuation<Finding?, Never>? in
      switch state {
      case .open:
        state = .come(finding)
        return nil
      case .awaited(let reader):
        state = .come(finding)
        return reader
      case .come: return nil
      }
    }
    reader?.resume(returning: finding)
  }
}
