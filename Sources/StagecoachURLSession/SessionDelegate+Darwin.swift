#if canImport(Darwin)
  import Foundation
  import StagecoachCore

  extension SessionDelegate {
    /// Evaluates a peer. Leaves every other challenge unanswered, so that a 401 is the response.
    func answer(
      _ challenge: URLAuthenticationChallenge,
      of task: URLSessionTask,
      _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
        return completionHandler(.performDefaultHandling, nil)
      }
      // Deferred, because the system may have to fetch certificates, and all tasks of the session would wait.
      DispatchQueue.global().async { [serverTrust, transfer = transfer(of: task)] in
        let space = challenge.protectionSpace
        do {
          guard let peer = space.serverTrust else {
            throw ExchangeError(.tls(.untrusted), "\(space.host) showed no certificate")
          }
          try serverTrust.check(peer, host: space.host)
          completionHandler(.useCredential, URLCredential(trust: peer))
        } catch {
          transfer?.fail(error)
          completionHandler(.cancelAuthenticationChallenge, nil)
        }
      }
    }

    /// Reports the connection, which the engine reports only when the task is complete.
    @objc(URLSession:task:didFinishCollectingMetrics:)
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
      // Without a start nothing was sent, and there may have been no connection.
      guard let last = metrics.transactionMetrics.last, last.requestStartDate != nil else { return }
      transfer(of: task)?.didUse(ConnectionInfo(last))
    }
  }

  extension ConnectionInfo {
    fileprivate init(_ metrics: URLSessionTaskTransactionMetrics) {
      func duration(_ start: Date?, _ end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return .seconds(end.timeIntervalSince(start))
      }
      let port = metrics.remotePort.map { ":\($0)" } ?? ""
      self.init(
        remoteAddress: metrics.remoteAddress.map { $0.contains(":") ? "[\($0)]\(port)" : $0 + port },
        isReused: metrics.isReusedConnection
      )
      applicationProtocol = metrics.networkProtocolName
      guard !metrics.isReusedConnection else { return }
      nameResolution = duration(metrics.domainLookupStartDate, metrics.domainLookupEndDate)
      connecting = duration(metrics.connectStartDate, metrics.connectEndDate)
      tlsHandshake = duration(metrics.secureConnectionStartDate, metrics.secureConnectionEndDate)
    }
  }
#endif
