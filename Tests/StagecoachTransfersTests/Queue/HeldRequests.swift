import HTTPTypes
import StagecoachCore
import StagecoachTransfers
import Synchronization

/// A transport that holds each request until the test answers it, and counts those in flight.
final class HeldRequests: Sendable {
  private struct State {
    var arrivals: [String] = []
    var held: [String: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<String> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var inFlight = 0
    var most = 0
  }

  private let state = Mutex(State())

  /// The paths, in the order of their arrival.
  var arrivals: [String] { state.withLock { $0.arrivals } }
  var inFlight: Int { state.withLock { $0.inFlight } }
  /// The maximum number in flight so far.
  var most: Int { state.withLock { $0.most } }

  func client(base: String = "http://test/", _ configuration: Client.Configuration = .init()) throws -> Client
  {
    let transport = HandlerTransport { request in
      let path = request.head.path ?? ""
      try await self.hold(path)
      return Response(.ok, body: .bytes(Bytes(path)))
    }
    return try Client(Pipeline(over: transport) {}, base: base, configuration: configuration)
  }

  /// Waits until so many requests have arrived.
  @discardableResult
  func arrived(_ count: Int) async -> [String] {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.arrivals.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
    return arrivals
  }

  /// Answers a request that has arrived.
  func answer(_ path: String) {
    state.withLock { $0.held.removeValue(forKey: path) }?.resume()
  }

  /// Answers requests in the order in which they arrive, until so many have.
  func answerAll(_ count: Int) async {
    for index in 0..<count { answer(await arrived(index + 1)[index]) }
  }

  private func hold(_ path: String) async throws {
    defer { state.withLock { $0.inFlight -= 1 } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in arrive(path, continuation) }
    } onCancel: {
      cancel(path)
    }
  }

  private func arrive(_ path: String, _ continuation: CheckedContinuation<Void, any Error>) {
    let (watchers, isCancelled) = state.withLock { state -> ([CheckedContinuation<Void, Never>], Bool) in
      state.arrivals.append(path)
      state.inFlight += 1
      state.most = max(state.most, state.inFlight)
      let count = state.arrivals.count
      let reached = state.watchers.filter { $0.count <= count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= count }
      if state.cancelled.remove(path) != nil { return (reached, true) }
      state.held[path] = continuation
      return (reached, false)
    }
    for watcher in watchers { watcher.resume() }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  private func cancel(_ path: String) {
    let held = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if let held = state.held.removeValue(forKey: path) { return held }
      state.cancelled.insert(path)
      return nil
    }
    held?.resume(throwing: CancellationError())
  }
}

extension TransferHandle {
  /// Waits until the transfer has a state.
  func reaches(_ state: TransferState) async {
    for await current in states where current == state { return }
  }
}
