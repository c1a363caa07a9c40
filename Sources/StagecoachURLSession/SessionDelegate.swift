import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Passes on what the engine tells of its tasks, and takes every decision of policy out of its hands.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
  private let transfers = Mutex<[Int: Transfer]>([:])
  #if canImport(Darwin)
    let serverTrust: ServerTrust

    init(_ serverTrust: ServerTrust) {
      self.serverTrust = serverTrust
    }
  #endif

  /// Makes a transfer hear of a task until that has ended.
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

  /// Redirects are for a stage: the 3xx is the response.
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
      // Every answer ends otherwise than with the 401: a credential asks again and mixes both bodies, the default
      // may never end the task, refusing fails it, which is of no consequence once that is known. It must not be
      // given on this thread, for which it waits.
      transfer(of: task)?.didReceiveChallenge()
      DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
    #else
      answer(challenge, of: task, completionHandler)
    #endif
  }

  /// The engine wants to send again what may have been sent: that is for a stage to decide.
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
