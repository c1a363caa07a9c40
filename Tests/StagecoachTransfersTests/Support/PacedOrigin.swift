import HTTPTypes
import StagecoachCore
import StagecoachTransfers
import Synchronization

/// An origin whose answers can be held back, and which counts the requests that are under way.
final class PacedOrigin: Sendable {
  private struct State {
    var isHeld: Bool
    var held: [AsyncStream<Never>.Continuation] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var paths: [String] = []
    var inFlight = 0
    var peak = 0
  }

  private let state: Mutex<State>
  private let size: Int

  /// Creates an origin that answers with this many bytes, and 404 for paths that contain `missing`.
  init(isHeld: Bool = false, size: Int = 1000) {
    state = Mutex(State(isHeld: isHeld))
    self.size = size
  }

  /// The paths that were asked for.
  var paths: [String] { state.withLock { $0.paths } }
  /// The largest number of requests that were under way at the same time.
  var peak: Int { state.withLock { $0.peak } }

  func client(_ configuration: Client.Configuration = .init()) throws -> Client {
    let transport = HandlerTransport(recordLimit: 0) { try await self.respond(to: $0) }
    return try Client(
      Pipeline(over: transport, stages: []),
      base: "http://origin.test/",
      configuration: configuration
    )
  }

  /// Answers the requests that are held back, and all later ones at once.
  func release() {
    let held = state.withLock { state in
      defer { state.held = [] }
      state.isHeld = false
      return state.held
    }
    for continuation in held { continuation.finish() }
  }

  /// Answers the oldest request that is held back.
  func releaseOne() {
    state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }?.finish()
  }

  /// Waits until this many requests have come.
  func requests(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.paths.count < count { state.watchers.append((count, continuation)) }
        return state.paths.count >= count
      }
      if isReached { continuation.resume() }
    }
  }

  private func respond(to request: Request) async throws -> Response {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    let watchers = state.withLock { state in
      state.paths.append(request.head.path ?? "")
      state.inFlight += 1
      state.peak = max(state.peak, state.inFlight)
      if state.isHeld { state.held.append(continuation) } else { continuation.finish() }
      defer { state.watchers.removeAll { $0.count <= state.paths.count } }
      return state.watchers.filter { $0.count <= state.paths.count }.map(\.continuation)
    }
    for watcher in watchers { watcher.resume() }
    defer { state.withLock { $0.inFlight -= 1 } }
    for await _ in stream {}
    try Task.checkCancellation()
    guard request.head.path?.contains("missing") != true else { return Response(.notFound) }
    return Response(.ok, body: .bytes(Bytes([UInt8](repeating: 7, count: size))))
  }
}
