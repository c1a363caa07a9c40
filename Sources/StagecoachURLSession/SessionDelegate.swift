import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Passes the events of the engine's tasks to their transfers, and refuses all policy of the engine.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
  private let transfers = Mutex<[Int: Transfer]>([:])
  #if canImport(Darwin)
    let serverTrust: ServerTrust

    init(_ serverTrust: ServerTrust) {
      self.serverTrust = serverTrust
    }
  #endif

  /// Registers a transfer for the events of a task until that has ended.
  func attach(_ transfer: Transfer, to task: URLSessionTask) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  func transfer(of task: URLSessionTask) -> Transfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse { transfer(of: dataTask)?.didReceive(response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.didReceive(data)
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didSendBodyData count: Int64,
    totalBytesSent sent: Int64,
    totalBytesExpectedToSend expected: Int64
  ) {
    transfer(of: task)?.didSend(sent)
  }

  /// Refuses redirects, which a stage follows: the 3xx is the response.
  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // No disposition ends with the 401 itself: a credential sends the request again and mixes both bodies, the
      // default may never end the task, and cancelling fails it, which is harmless once the challenge is recorded. The
      // handler must not be called on this thread, because it waits for it.
      transfer(of: task)?.didReceiveChallenge()
      DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
    #else
      answer(challenge, of: task, completionHandler)
    #endif
  }

  /// Refuses to send a request again that may have been sent: a stage decides on retries.
  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    transfer(of: task)?.refuseToSendAgain()
    completionHandler(nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    transfer?.didComplete(task, error)
  }
}
