import Foundation
import StagecoachCore
import StagecoachTransportKit
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Receives the events of a task of the engine.
extension Transfer {
  /// The maximum number of unread bytes. Where the engine cannot pause, the transfer fails beyond it.
  private static let unreadLimit = 64 * 1024 * 1024

  /// Reports the amount of sent content. The total is known here, because the engine does not know the length of a
  /// stream.
  func didSend(_ sent: Int64) {
    let total = content.length
    let (isFirst, isLast) = state.withLock { state in
      guard state.transfer.end == nil, !state.isSent else { return (false, false) }
      let isFirst = !state.hasSent
      state.hasSent = true
      state.transfer.isRequestSent = sent >= total
      switch state.transfer.phase {
      case .connecting, .sending:
        state.transfer.enter(state.isSent ? .waitingForHead : .sending, of: request)
      case .waiting, .waitingForHead, .receiving: break
      }
      return (isFirst, state.isSent)
    }
    if isFirst { tell(.requestHeadSent) }
    tell(.requestBodyProgress(bytes: sent, of: total))
    guard isLast else { return }
    request.exchange?.markRequestSent()
    tell(.requestSent)
  }

  func didReceive(_ response: HTTPURLResponse) {
    // Informational responses arrive like others; no other response follows a 101.
    guard response.statusCode >= 200 || response.statusCode == 101 else { return }
    guard state.withLock({ $0.response == nil }) else {
      return fail(
        ExchangeError(
          .unsupported,
          "the peer sent another response, which URLSession takes out of a multipart/x-mixed-replace",
          advice: "use another transport for this server"
        )
      )
    }
    do {
      let head = try EngineHead(response, to: request)
      let endsHere = head.hasNoContent || head.length == 0
      let (continuation, wasSilent, isSent) = state.withLock { state in
        let wasSilent = isBodyless && !state.isSent
        state.transfer.enter(.receiving, of: request)
        state.response = head
        if isBodyless { state.transfer.isRequestSent = true }
        // A response that ends with its head is delivered at its end, when the connection is free again.
        if endsHere { state.transfer.restartTimeout(after: request.options.idleTimeout) }
        return (endsHere ? nil : state.transfer.takeHead(), wasSilent, state.isSent)
      }
      if head.isAmbiguous {
        tell(.violationTolerated("Content-Length beside Transfer-Encoding, which counts (RFC 9112 6.3)"))
      }
      if wasSilent {
        // For a request without content the engine reports nothing before the response.
        tell(.requestHeadSent)
        tell(.requestSent)
      }
      if let continuation { resume { continuation.resume(returning: head) } }
      if endsHere, !isSent { end(.success(())) }
    } catch {
      fail(error)
    }
  }

  func didReceive(_ data: Data) {
    guard !data.isEmpty else { return }
    let bytes = Bytes(data)
    enum Next {
      case read(BodyInbox.Served)
      case go
      case pause(URLSessionTask)
      case fail
    }
    let (next, isWhole) = state.withLock { state -> (Next, Bool) in
      guard state.transfer.end == nil else { return (.go, false) }
      state.received += Int64(bytes.count)
      // The response is complete before the request is: nothing waits for the rest of the request.
      let isWhole = !state.isSent && state.received == state.response?.length
      guard state.transfer.inbox.count + bytes.count <= Self.unreadLimit else { return (.fail, false) }
      state.transfer.inbox.append(bytes)
      if let served = state.transfer.serve() { return (.read(served), isWhole) }
      guard let task = state.task, !state.transfer.inbox.isPaused, state.transfer.inbox.pauses() else {
        return (.go, isWhole)
      }
      return (.pause(task), isWhole)
    }
    switch next {
    case .read(let served): served.resume()
    case .go: break
    case .pause(let task): flow.pause(task)
    case .fail: fail(Self.tooMuchUnread)
    }
    if isWhole { end(.success(())) }
  }

  private static var tooMuchUnread: ExchangeError {
    ExchangeError(
      .limit(.body),
      "64 MiB of the response body wait for their reader, and URLSession could not be slowed down",
      advice: "read faster, or use a transport with the capability streamsResponseBodies",
      limit: ExchangeError.Limit(option: "unread bytes (engine)", value: "64 MiB")
    )
  }

  func resumeReceiving() {
    if let task = state.withLock({ $0.task }) { flow.goOn(task) }
  }

  #if canImport(Darwin)
    /// Reports the connection of the request.
    func didUse(_ connection: ConnectionInfo) {
      tell(.connection(.acquired(connection)))
    }
  #endif

  func refuseToSendAgain() {
    fail(
      ExchangeError(
        .connectionReset,
        "the peer closed the connection before it answered, and the body was under way"
      )
    )
  }

  /// Called when the 401 has arrived with all its body. The task will end with an error that has no details.
  func didReceiveChallenge() {
    state.withLock { $0.isChallenged = true }
  }

  func didComplete(_ task: URLSessionTask, _ error: (any Error)?) {
    let (isChallenged, isHeadless, isCut) = state.withLock { state in
      (
        state.isChallenged, state.response == nil && state.transfer.end == nil,
        state.response?.isCut(after: state.received) == true
      )
    }
    if let error, !isChallenged {
      fail(error)
    } else if isHeadless, let response = task.response as? HTTPURLResponse {
      didLoseContent(of: response)
    } else if isCut {
      fail(ExchangeError(.incompleteBody, "the connection was closed before the body was complete"))
    } else {
      end(.success(()))
    }
  }

  /// Reports a 3xx whose redirect the engine cannot use. The engine does not deliver it, and drops its content.
  private func didLoseContent(of response: HTTPURLResponse) {
    didReceive(response)
    let head = state.withLock { $0.response }
    guard let head, !head.hasNoContent, head.length != 0 else { return end(.success(())) }
    fail(
      ExchangeError(
        .incompleteBody,
        "URLSession drops the content of a \(response.statusCode) whose Location it cannot use",
        advice: "use another transport for this server, or ignore the content"
      )
    )
  }
}
