#if Tool
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import Synchronization

  /// The informational responses to one request (RFC 9110 15.2), which end where the final one begins.
  final class InterimResponses: Sendable {
    private struct State {
      var isOpen = true
      var hasContinued = false
    }

    private let channel: any Channel
    private let state = Mutex(State())

    init(_ channel: any Channel) {
      self.channel = channel
    }

    /// Whether the client was told to send its content.
    var hasContinued: Bool { state.withLock(\.hasContinued) }

    /// Tells the client to send its content, once.
    func sendContinue() { send(HTTPResponse(status: .continue)) }

    /// Sends a response. Another thread may have begun the final one: then it is too late.
    func send(_ response: HTTPResponse) {
      let status = response.status.code
      // The protocol of a connection is not changed here.
      guard 100..<200 ~= status, status != 101 else { return }
      let head = HTTPResponseHead(
        version: .http1_1,
        status: .custom(code: UInt(status), reasonPhrase: response.status.reasonPhrase),
        headers: ResponseWriter.headers(response.headerFields)
      )
      state.withLock { state in
        guard state.isOpen, status != 100 || !state.hasContinued else { return }
        if status == 100 { state.hasContinued = true }
        // Under the lock, or the final head could overtake it; it only queues.
        channel.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
      }
    }

    func close() { state.withLock { $0.isOpen = false } }
  }
#endif
