import Foundation
import Stagecoach
import StagecoachTransportKit
import Synchronization

/// HTTP/1.0 over TCP to an IPv4 address, a connection for each request.
struct PlainTransport: Transport {
  private let watchdog = Watchdog(clock: SystemTime())

  var capabilities: TransportCapabilities { [.streamsResponseBodies, .newConnections] }

  func send(_ request: Request) async throws -> Response {
    try capabilities.check(request.options.networkUse, transport: name)
    guard let origin = request.origin, !origin.isSecure else {
      throw ExchangeError(.unsupported, "\(name) sends http requests only")
    }
    guard let content = request.body.isEmpty ? Bytes() : request.body.bytes else {
      throw ExchangeError(.unsupported, "\(name) sends content in memory only")
    }
    let transfer = PlainTransfer(request, watchdog)
    return try await transfer.start {
      Thread.detachNewThread { transfer.run(origin.authority, content) }
    }
  }
}

/// One request. A thread of its own writes it and reads the response, so what blocks only blocks that thread.
final class PlainTransfer: EngineTransfer {
  let request: Request
  let watchdog: Watchdog
  private let state = Mutex(TransferState<Response>())
  private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  private let room = DispatchSemaphore(value: 0)

  init(_ request: Request, _ watchdog: Watchdog) {
    (self.request, self.watchdog) = (request, watchdog)
  }

  deinit { close(descriptor) }

  func withState<Result: Sendable>(
    _ body: (inout TransferState<Response>) throws -> Result
  ) rethrows -> Result {
    try state.withLock { try body(&$0) }
  }

  func resumeReceiving() { room.signal() }

  func release() {
    shutdown(descriptor, Int32(SHUT_RDWR))  // ends the call that the thread waits in
    room.signal()
  }

  func run(_ authority: String, _ content: Bytes) {
    var socket = PlainSocket(descriptor: descriptor)
    do {
      guard didStartConnecting() else { return }
      try socket.connect(to: authority)
      guard didStartSending(over: ConnectionInfo(remoteAddress: authority, isReused: false)) else { return }
      var head = "\(request.method) \(request.head.path ?? "/") HTTP/1.0\r\nHost: \(authority)\r\n"
      for field in request.fields { head += "\(field.name.rawName): \(field.value)\r\n" }
      if !content.isEmpty { head += "Content-Length: \(content.count)\r\n" }
      try socket.write(Bytes(head + "\r\n"))
      try socket.write(content)
      didSendRequest()
      try receive(from: &socket)
      end(.success(()))
    } catch {
      end(.failure(error))
    }
  }

  private func receive(from socket: inout PlainSocket) throws {
    var meter = ResponseHeadMeter(request.options.responseHeadLimits)
    let words = try socket.line(&meter, isField: false).split(separator: " ", maxSplits: 2)
    guard words.count > 1, words[0].hasPrefix("HTTP/1."), let code = Int(words[1]), (200...599).contains(code)
    else { throw ExchangeError(.protocolViolation, "malformed status line") }
    var head = HTTPResponse(status: .init(code: code))
    while case let line = try socket.line(&meter, isField: true), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
        throw ExchangeError(.protocolViolation, "malformed header line")
      }
      head.headerFields.append(HTTPField(name: name, value: parts[1].trimmingCharacters(in: .whitespaces)))
    }
    let isEmpty = request.method == .head || [204, 304].contains(code)
    var left = isEmpty ? 0 : head.headerFields[.contentLength].flatMap { Int64($0) }
    receive(head: Response(head: head, body: left == 0 ? .empty : Response.Body(source: self, length: left)))
    while left != 0 {
      let chunk = try socket.read()
      if chunk.isEmpty, left == nil { return }
      guard !chunk.isEmpty else { throw ExchangeError(.incompleteBody, "the server closed the connection") }
      left = left.map { max($0 - Int64(chunk.count), 0) }
      if receive(Bytes(chunk)) { room.wait() }
      // What the server had sent already can still be read after the shutdown.
      guard withState({ $0.end == nil }) else { return }
    }
  }
}

/// A socket that blocks, and what was read of it too early.
struct PlainSocket {
  let descriptor: Int32
  var buffer: ArraySlice<UInt8> = []

  func connect(to authority: String) throws {
    let parts = authority.split(separator: ":")
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = (parts.count > 1 ? UInt16(parts[1]) ?? 80 : 80).bigEndian
    guard inet_pton(AF_INET, String(parts[0]), &address.sin_addr) == 1 else {
      throw ExchangeError(.nameResolution, "\(parts[0]) is not an IPv4 address")
    }
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(descriptor, $0, size) }
    }
    guard result != 0 else { return }
    throw ExchangeError(errno == ECONNREFUSED ? .connectionRefused : .connectionFailed, "error \(errno)")
  }

  func write(_ bytes: Bytes) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw ExchangeError(.connectionReset, "error \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  /// The bytes that come next; none at the end.
  mutating func read() throws -> ArraySlice<UInt8> {
    defer { buffer = [] }
    guard buffer.isEmpty else { return buffer }
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw ExchangeError(.connectionReset, "error \(errno)") }
    return bytes[..<count]
  }

  /// The next line of a head, without its end.
  mutating func line(_ meter: inout ResponseHeadMeter, isField: Bool) throws -> String {
    var line: [UInt8] = []
    while true {
      let bytes = try read()
      guard !bytes.isEmpty else { throw ExchangeError(.connectionReset, "the server closed the connection") }
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
      line += bytes[..<(end ?? bytes.endIndex)]
      var counted = meter
      try counted.add(line.count + 1, isField: isField)
      guard let end else { continue }
      (meter, buffer) = (counted, bytes[(end + 1)...])
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      return String(decoding: line, as: UTF8.self)
    }
  }
}
