import StagecoachCore
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Takes the exchanges of a recorder, and writes them beside the caller's task.
final class RecordingStore: Sendable {
  private typealias Ended = (exchange: RecordedExchange, reply: Scenario.Reply)

  private struct State {
    var recording: Scenario.Recording?
    var seed: UInt64?
    var begun = 0
    /// What has ended and is not written yet.
    var ended: [Int: Ended] = [:]
    var isWriting = false
    var failure: (any Error)?
    var waiters: [CheckedContinuation<Void, any Error>] = []
    /// The omissions that were told.
    var told: Set<String> = []
  }

  private let writesEach: Bool
  private let onOmission: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let notebook: Mutex<RecordingNotebook>

  init(
    folder: String,
    title: String?,
    base: String?,
    redaction: RedactionOptions,
    infersRules: Bool,
    writesEach: Bool,
    onOmission: @escaping @Sendable (String) -> Void
  ) {
    self.writesEach = writesEach
    self.onOmission = onOmission
    var scenario = Scenario(title: title)
    if let base { scenario.origins = [Scenario.Alias(name: "api", origin: base)] }
    notebook = Mutex(RecordingNotebook(scenario, folder: folder, redaction, infersRules: infersRules))
  }

  /// Takes the next place in the order.
  func begin(_ request: Request) -> Int {
    let (date, random) = (request.clock.date, request.exchange?.randomNumberGenerator as? SeededRandom)
    return state.withLock { state in
      if state.begun == 0 {
        state.seed = random?.seed
        let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        state.recording = Scenario.Recording(date: second, recorder: "stagecoach")
      }
      defer { state.begun += 1 }
      return state.begun
    }
  }

  /// Tells of an exchange that is not written, because its reply was refused on this side.
  func refuse(_ exchange: RecordedExchange, because error: (any Error)?) {
    let reason = error.map { ($0 as? ExchangeError)?.message ?? Format.describe($0) } ?? ""
    onOmission("\(exchange.title): the reply was refused: \(reason)")
  }

  func finish(_ exchange: RecordedExchange, _ reply: Scenario.Reply) {
    let writes = state.withLock { state in
      state.ended[exchange.position] = (exchange, reply)
      guard writesEach, !state.isWriting else { return false }
      state.isWriting = true
      return true
    }
    if writes { Task { await write() } }
  }

  /// Writes until nothing is left; those that come meanwhile are written together.
  private func write() async {
    while let (ended, recording, seed) = next() {
      var exchanges: [Int: RecordedExchange.Result] = [:]
      for (position, (exchange, reply)) in ended { exchanges[position] = await exchange.result(reply) }
      do {
        let omitted = try await BlockingQueue.files.run { [self, exchanges] in
          try notebook.withLock { notebook in
            try notebook.write(exchanges, recording, seed: seed)
            return notebook.omitted
          }
        }
        let new = state.withLock { state in omitted.filter { state.told.insert($0).inserted } }
        for omission in new { onOmission(omission) }
      } catch {
        state.withLock { $0.failure = $0.failure ?? error }
      }
    }
  }

  /// What is to be written; `nil` if nothing is left, which ends the writing.
  private func next() -> ([Int: Ended], Scenario.Recording?, seed: UInt64?)? {
    var waiters: [CheckedContinuation<Void, any Error>] = []
    let (ended, recording, seed, failure) = state.withLock { state in
      if state.ended.isEmpty {
        state.isWriting = false
        swap(&waiters, &state.waiters)
      }
      defer { state.ended = [:] }
      return (state.ended, state.recording, state.seed, state.failure)
    }
    guard ended.isEmpty else { return (ended, recording, seed) }
    let result = failure.map(Result<Void, any Error>.failure) ?? .success(())
    for waiter in waiters { waiter.resume(with: result) }
    return nil
  }

  /// Writes what is not written yet.
  ///
  /// - Returns: What became of the secrets.
  func flush() async throws -> RedactionSummary {
    try await writeAll()
    return notebook.withLock { notebook in
      var summary = notebook.summary
      summary.reported = notebook.reported
      return summary
    }
  }

  private func writeAll() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let writes = state.withLock { state in
        state.waiters.append(continuation)
        guard !state.isWriting else { return false }
        state.isWriting = true
        return true
      }
      if writes { Task { await write() } }
    }
  }
}
