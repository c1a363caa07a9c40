import Dispatch
import HTTPTypes
import Stagecoach
import StagecoachTransportKit
import Synchronization

/// A request over a ``Socket``: its task writes the request, reads the response and reports both.
final class SocketTransfer: EngineTransfer {
  let request: Request
  let watchdog: Watchdog
  private let content: (any BodySource)?
  /// Until the transfer has ended: the last reference closes it.
  private let socket: Mutex<Socket?>
  private let state = Mutex(TransferState<Response>())
  /// Wakes the task that waits for room in the inbox.
  private let room = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  init(_ request: Request, _ content: (any BodySource)?, over socket: Socket, watchdog: Watchdog) {
    self.request = request
    self.content = content
    self.socket = Mutex(socket)
    self.watchdog = watchdog
  }

  func withState<Result: Sendable>(
    _ body: (inout TransferState<Response>) throws -> Result
  ) rethrows -> Result {
    try state.withLock { try body(&$0) }
  }

  func resumeReceiving() { room.continuation.yield() }

  func release() {
    socket.withLock { $0.take() }?.abort()
    content?.cancel()
    room.continuation.finish()
  }

  func run(target: String, host: String) async {
    do {
      guard didStartConnecting(), let socket = socket.withLock(\.self) else { return }
      try await socket.connect()
      let connection = ConnectionInfo(remoteAddress: socket.address, isReused: false)
      guard didStartSending(over: connection) else { return }
      // The response may come before the request is sent completely (RFC 9110 7.5).
      Task { await send(over: socket, target: target, host: host) }
      var reader = ResponseReader(socket, to: request)
      try await receive(&reader)
      request.emit(.connection(.closed("\(SocketTransport.self) keeps none")))
      end(.success(()))
    } catch {
      end(.failure(error))
    }
  }

  private func send(over socket: Socket, target: String, host: String) async {
    do {
      try await write(to: socket, target: target, host: host)
    } catch let error as ExchangeError where error.kind == .connectionReset {
      // The reader sees it too, after a response that came before.
    } catch {
      end(.failure(error))
    }
  }

  private func write(to socket: Socket, target: String, host: String) async throws {
    let isChunked = content != nil && (request.body.length == nil || request.body.hasTrailers)
    var head = Array("\(request.method.rawValue) \(target) HTTP/1.1\r\n".utf8)
    // Values need not be UTF-8 (RFC 9110 5.5).
    func value(_ field: HTTPField) -> [UInt8] { field.withUnsafeBytesOfValue { Array($0) } }
    if request.fields[.init("Host")!] == nil { head += "Host: \(host)\r\n".utf8 }
    for field in request.fields where field.name != .cookie {
      head += Array("\(field.name.rawName): ".utf8) + value(field) + [0x0d, 0x0a]
    }
    // One line (RFC 6265 5.4).
    let cookies = Array(request.fields[fields: .cookie].map(value).joined(separator: "; ".utf8))
    if !cookies.isEmpty { head += Array("Cookie: ".utf8) + cookies + [0x0d, 0x0a] }
    if isChunked {
      head += "Transfer-Encoding: chunked\r\n".utf8
    } else if let length = request.body.length,
      length > 0 || request.method == .post || request.method == .put
    {
      head += "Content-Length: \(length)\r\n".utf8
    }
    try await socket.write(Bytes(head + Array("Connection: close\r\n\r\n".utf8)))
    request.emit(.requestHeadSent)
    var sent: Int64 = 0
    while let chunk = try await content?.next() {
      if isChunked { try await socket.write(Bytes(String(chunk.count, radix: 16) + "\r\n")) }
      try await socket.write(chunk)
      if isChunked { try await socket.write("\r\n") }
      sent += Int64(chunk.count)
      didSend(sent)
    }
    if isChunked { try await socket.write("0\r\n\r\n") }
    didSendRequest()
  }

  private func receive(_ reader: inout ResponseReader) async throws {
    var head = try await reader.head()
    var count = 0
    while head.status.kind == .informational {
      count += 1
      try receive(informational: head, count: count)
      head = try await reader.head()
    }
    let length = try reader.length(of: head)
    handOver(head, length)
    while let chunk = try await reader.chunk(length) {
      guard receive(chunk) else { continue }
      for await _ in room.stream { break }
    }
    let trailers = reader.trailers
    withState { $0.trailers = trailers }
  }

  /// A method of its own: a variable with the body would live as long as the loop that receives, and a body that
  /// nobody holds ends the transfer.
  private func handOver(_ head: HTTPResponse, _ length: ResponseReader.Length) {
    let body = length == .known(0) ? .empty : Response.Body(source: self, length: length.bytes)
    receive(head: Response(head: head, body: body, version: .http11))
  }
}
