import StagecoachCore
import Synchronization

/// Keeps requests from waiting for a store, and leaves a store alone that has failed again and again.
final class StoreGuard: Sendable {
  /// How long a call may take.
  private static let patience = Duration.milliseconds(100)
  /// The number of calls in a row that fail before the store is left alone.
  private static let failures = 5
  /// How long it is left alone.
  private static let rest = Duration.seconds(5)

  private struct State {
    var failures = 0
    var restsUntil: ContinuousClock.Instant?
  }

  let store: any CacheStore
  private let state = Mutex(State())

  init(_ store: any CacheStore) {
    self.store = store
  }

  /// Calls the store.
  ///
  /// - Parameters:
  ///   - isNeeded: Whether the store is called even while it is left alone.
  ///   - failed: Called with the reason if there is no result: the store does not take a response, or has failed.
  ///   - work: The call. It goes on, with nobody waiting, if it takes too long.
  /// - Returns: The result; `nil` if the call failed, took too long, or the store is left alone.
  func call<Result: Sendable>(
    isNeeded: Bool = false,
    _ failed: (CacheEvent) -> Void,
    _ work: @escaping @Sendable (any CacheStore) async throws -> Result
  ) async -> Result? {
    let outcome: Swift.Result<Result, any Error>
    if store.isInMemory {
      do {
        outcome = .success(try await work(store))
      } catch {
        outcome = .failure(error)
      }
    } else {
      guard isNeeded || isAsked else {
        failed(
          .storeFailed(
            reason: "disabled for \(Self.rest.components.seconds) s after \(Self.failures) failures in a row"
          )
        )
        return nil
      }
      outcome = await bounded(work)
      note(outcome)
    }
    switch outcome {
    case .success(let result): return result
    case .failure(let error):
      failed(Self.isRefusal(error) ? .notStored(reason: "\(error)") : .storeFailed(reason: "\(error)"))
      return nil
    }
  }

  /// Whether an error says nothing of the store: one response is too large, or others take the room.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case CacheStoreError.tooLarge, CacheStoreError.full: true
    default: false
    }
  }

  /// The repair that was made when the store was opened.
  var repair: String? {
    #if SQLite
      (store as? DiskCacheStore)?.folder.repair
    #else
      nil
    #endif
  }

  private var isAsked: Bool {
    state.withLock { state in
      guard let end = state.restsUntil else { return true }
      guard ContinuousClock.now >= end else { return false }
      // One more failure lets it rest again.
      (state.restsUntil, state.failures) = (nil, Self.failures - 1)
      return true
    }
  }

  private func note<Result>(_ outcome: Swift.Result<Result, any Error>) {
    state.withLock { state in
      switch outcome {
      case .success: state.failures = 0
      case .failure(let error) where Self.isRefusal(error): break
      case .failure:
        state.failures += 1
        if state.failures >= Self.failures { state.restsUntil = .now + Self.rest }
      }
    }
  }

  private func bounded<Result: Sendable>(
    _ work: @escaping @Sendable (any CacheStore) async throws -> Result
  ) async -> Swift.Result<Result, any Error> {
    let waiter = Waiter<Result>()
    let timer = Task {
      try await SystemTime().sleep(until: .now + Self.patience)
      waiter.end(with: .failure(CacheStoreError.unavailable("it took longer than \(Self.patience)")))
    }
    Task { [store] in
      do {
        waiter.end(with: .success(try await work(store)))
      } catch {
        waiter.end(with: .failure(error))
      }
      timer.cancel()
    }
    return await waiter.outcome()
  }
}
