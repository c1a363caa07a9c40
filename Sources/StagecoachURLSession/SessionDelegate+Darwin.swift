#if canImport(Darwin)
  import Foundation
  import Stagecoach

  extension SessionDelegate {
    /// Judges a peer; leaves every other challenge unanswered, so that a 401 is the response.
    func answer(
      _ challenge: URLAuthenticationChallenge,
      of task: URLSessionTask,
      _ completionHandler: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let space = challenge.protectionSpace
      guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust, let peer = space.serverTrust
      else {
        return completionHandler(.performDefaultHandling, nil)
      }
      do {
        try serverTrust.check(peer, host: space.host)
        completionHandler(.useCredential, URLCredential(trust: peer))
      } catch {
        transfer(of: task)?.fail(error)
        completionHandler(.cancelAuthenticationChallenge, nil)
      }
    }

    /// What is known of the connection comes when all is over; it is told then.
    @objc(URLSession:task:didFinishCollectingMetrics:)
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
      guard let transfer = transfer(of: task), let last = metrics.transactionMetrics.last else { return }
      transfer.request.emit(.connection(.acquired(ConnectionInfo(last))))
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
