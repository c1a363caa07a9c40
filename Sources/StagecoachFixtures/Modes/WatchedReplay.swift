import StagecoachCore
import Synchronization

/// A replay that remembers the requests that no exchange answered, also if the client swallows the error.
final class WatchedReplay: Transport {
  let replay: ReplayTransport
  private let failures = Mutex<[String]>([])

  init(_ replay: ReplayTransport) {
    self.replay = replay
  }

  var name: String { replay.name }
  var capabilities: TransportCapabilities { replay.capabilities }

  /// What is known of each request that no exchange answered.
  var unmatched: [String] { failures.withLock { $0 } }

  func send(_ request: Request) async throws -> Response {
    do {
      return try await replay.send(request)
    } catch let error as ExchangeError where error.isUnmatched {
      failures.withLock { $0.append(error.message) }
      throw error
    }
  }

  func shutdown() async { await replay.shutdown() }
}

extension ExchangeError {
  /// Whether no exchange of a replay answers the request.
  var isUnmatched: Bool { kind == .stageFailure(ReplayFailure.unmatched) }
}
