import Foundation
import StagecoachCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session of the engine, with the delegate that reports task events to transfers.
final class Lane: Sendable {
  let origin: LanePool.Origin
  let session: URLSession
  private let delegate: SessionDelegate

  init(to origin: LanePool.Origin, _ delegate: SessionDelegate, _ session: URLSession) {
    self.origin = origin
    self.delegate = delegate
    self.session = session
  }

  deinit {
    // Deferred, because the session may have to wait for this thread.
    let session = session
    DispatchQueue.global().async { session.invalidateAndCancel() }
  }

  /// Registers a transfer for the events of a task.
  func attach(_ transfer: Transfer, to task: URLSessionTask) {
    delegate.attach(transfer, to: task)
  }

  /// Returns a configuration without policy, which the stages of a pipeline apply.
  static func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.timeoutIntervalForRequest = 365 * 86_400
    configuration.timeoutIntervalForResource = 365 * 86_400
    return configuration
  }
}
