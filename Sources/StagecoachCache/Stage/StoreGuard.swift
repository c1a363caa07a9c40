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

  let store: any CacheStore
  private let backOff = Mutex(BackOff(StoreGuard.rest...StoreGuard.rest, after: StoreGuard.failures))

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
      guard isNeeded || !backOff.withLock({ $0.rests(at: .now) }) else {
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

  private func note<Result>(_ outcome: Swift.Result<Result, any Error>) {
    switch outcome {
    case .success: backOff.withLock { $0.reset() }
    case .failure(let error) where Self.isRefusal(error): break
    case .failure: backOff.withLock { $0.fail(at: .now) }
    }
  }

  private func bounded<Result: Sendable>(
    _ work: @escaping @Sendable (any CacheStore) async throws -> Result
  ) async -> Swift.Result<Result, any Error> {
    let waiter = Waiter<Result>()
    let timer = SystemTime().timer(at: .now + Self.patience) {
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
