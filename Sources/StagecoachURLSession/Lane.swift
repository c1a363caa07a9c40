import Foundation
import StagecoachCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session of the engine, and the delegate that tells transfers what happens to their tasks.
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
    // Not at once: this may be a thread that the session would wait for.
    let session = session
    DispatchQueue.global().async { session.invalidateAndCancel() }
  }

  /// Makes a transfer hear of a task.
  func attach(_ transfer: Transfer, to task: URLSessionTask) {
    delegate.attach(transfer, to: task)
  }

  /// A configuration that leaves all policy to the stages of a pipeline.
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
