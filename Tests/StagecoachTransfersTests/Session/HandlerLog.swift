import Foundation
import StagecoachCore
import StagecoachTransfers
import Synchronization
import TestSupport

/// What the handlers of one call got, in order.
final class HandlerLog<Value: Sendable>: Sendable {
  enum Call: Sendable {
    case progress(TransferProgress)
    case success(TransferID, Value)
    case failure(TransferID, any Error)

    var isEnd: Bool {
      if case .progress = self { false } else { true }
    }
  }

  private let log = Log<Call>()
  private let ended = Signal()

  var calls: [Call] { log.all }
  var ends: Int { calls.count(where: \.isEnd) }
  var progress: [TransferProgress] {
    calls.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
  }

  func success(_ transfer: Transfer<Value>, _ value: Value) { end(.success(transfer.id, value)) }
  func failure(_ transfer: Transfer<Value>, _ error: any Error) { end(.failure(transfer.id, error)) }
  func progress(_ progress: TransferProgress) { log.add(.progress(progress)) }

  private func end(_ call: Call) {
    log.add(call)
    ended.set()
  }

  /// Waits for the end; the value or the error.
  func result() async -> Result<Value, any Error> {
    await ended.wait()
    for call in calls {
      switch call {
      case .success(_, let value): return .success(value)
      case .failure(_, let error): return .failure(error)
      case .progress: continue
      }
    }
    return .failure(CancellationError())
  }

  func value() async throws -> Value { try await result().get() }

  func error() async -> (any Error)? {
    if case .failure(let error) = await result() { error } else { nil }
  }

  func kind() async -> ExchangeError.Kind? { (await error() as? ExchangeError)?.kind }
}

/// Waits until everything that a serial queue was given so far is done.
func drain(_ queue: DispatchQueue) async {
  await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
}
