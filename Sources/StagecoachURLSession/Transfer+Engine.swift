import Foundation
import StagecoachCore
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the engine tells of a task.
extension Transfer {
  /// How many may wait at all: where the engine cannot pause, the transfer fails then.
  private static let unreadLimit = 64 * 1024 * 1024

  /// How much of the content was sent. How much there is to send is known here: of a stream the engine does not know.
  func didSend(_ sent: Int64) {
    let total = content.length
    let (isFirst, isLast) = state.withLock { state in
      guard state.end == nil, !state.isSent else { return (false, false) }
      let isFirst = !state.hasSent
      state.hasSent = true
      state.isSent = sent >= total
      switch state.phase {
      case .starting, .sending:
        state.phase = state.isSent ? .waitingForHead : .sending
        if let watch = state.watch { watchdog.move(watch, to: limit(of: state.phase)) }
      case .waiting, .waitingForHead, .body: break
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
    // Informational responses come as others do; after 101 there is no other.
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
      let (continuation, watch, wasSilent, isSent) = state.withLock { state in
        let wasSilent = isBodyless && !state.isSent
        state.phase = .body
        state.response = head
        state.isSent = state.isSent || isBodyless
        // What ends with its head is handed over with its end, when the connection is free again.
        guard !endsHere else {
          return (UnsafeContinuation<EngineHead, any Error>?.none, state.watch, wasSilent, state.isSent)
        }
        defer { state.head = nil }
        return (state.head, state.watch, wasSilent, state.isSent)
      }
      if let watch { watchdog.move(watch, to: endsHere ? request.options.idleTimeout : nil) }
      if head.isAmbiguous {
        tell(.violationTolerated("Content-Length beside Transfer-Encoding, which counts (RFC 9112 6.3)"))
      }
      if wasSilent {
        // Of a request without content the engine tells nothing before it is answered.
        tell(.requestHeadSent)
        tell(.requestSent)
      }
      resume(continuation, .success(head))
      if endsHere, !isSent { end(.success(())) }
    } catch {
      fail(error)
    }
  }

  func didReceive(_ data: Data) {
    guard !data.isEmpty else { return }
    let bytes = Bytes(data)
    enum Next {
      case read(BodyInbox.Served, Watchdog.Watch?)
      case go
      case pause(URLSessionTask)
      case fail
    }
    let (next, isWhole) = state.withLock { state -> (Next, Bool) in
      guard state.end == nil else { return (.go, false) }
      state.received += Int64(bytes.count)
      // The answer is complete before the request is: nothing waits for the rest of that.
      let isWhole = !state.isSent && state.received == state.response?.length
      guard state.inbox.count + bytes.count <= Self.unreadLimit else { return (.fail, false) }
      state.inbox.append(bytes)
      if let served = state.inbox.serve() { return (.read(served, state.watch), isWhole) }
      guard let task = state.task, !state.inbox.isPaused, state.inbox.pauses() else { return (.go, isWhole) }
      return (.pause(task), isWhole)
    }
    switch next {
    case .read(let served, let watch):
      if let watch { watchdog.move(watch, to: nil) }
      served.resume()
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

  #if canImport(Darwin)
    /// The request went out on a connection.
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

  /// The 401 is there with all its body, and the task will end with an error that says nothing.
  func didReceiveChallenge() {
    state.withLock { $0.isChallenged = true }
  }

  func didComplete(_ task: URLSessionTask, _ error: (any Error)?) {
    let (isChallenged, isHeadless) = state.withLock { ($0.isChallenged, $0.response == nil && $0.end == nil) }
    if let error, !isChallenged {
      fail(error)
    } else if isHeadless, let response = task.response as? HTTPURLResponse {
      didLoseContent(of: response)
    } else {
      end(.success(()))
    }
  }

  /// The engine tells nothing of a 3xx that it would follow if it could, and drops its content.
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
