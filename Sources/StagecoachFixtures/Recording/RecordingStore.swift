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
  }

  private let writesEach: Bool
  private let state = Mutex(State())
  private let notebook: Mutex<RecordingNotebook>

  init(
    folder: String,
    title: String?,
    base: String?,
    redaction: RedactionOptions,
    infersRules: Bool,
    writesEach: Bool
  ) {
    self.writesEach = writesEach
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
        try await BlockingQueue.files.run { [self, exchanges] in
          try notebook.withLock { try $0.write(exchanges, recording, seed: seed) }
        }
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

  func flush() async throws {
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
