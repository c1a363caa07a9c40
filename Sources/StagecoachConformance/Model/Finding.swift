import StagecoachCore

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
    let end = Waiter<Void>()
    let task = Task {
      do {
        try await work()
        end.end()
      } catch {
        end.end(with: .failure(error))
      }
    }
    let timer = Task {
      do { try await Task.sleep(for: limit) } catch { return }
      end.end(with: .failure(Hang()))
      task.cancel()
    }
    defer { timer.cancel() }
    switch await end.outcome() {
    case .success: return nil
    case .failure(let error as CheckNotRun): return .notRun(error.reason)
    case .failure(is Hang): return .hung("it did not end within \(limit)")
    case .failure(let error): return .failed("\(error)")
    }
  }

  private struct Hang: Error {}
}

/// The error of a check that cannot run in this build.
struct CheckNotRun: Error {
  /// The reason.
  let reason: String
}
