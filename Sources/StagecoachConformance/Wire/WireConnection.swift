import Foundation
import StagecoachCore
import Synchronization

/// A connection on the side of the server. It must only be used on its thread.
public final class WireConnection: Sendable {
  /// The number of the connection, from 0 in the order of acceptance.
  public let index: Int

  private struct State {
    var buffer: [UInt8] = []
    var isClosed = false
    var isInterrupted = false
  }

  private let socket: WireSocket
  private let deadline: ContinuousClock.Instant
  private let log: @Sendable ((inout WireLog) -> Void) -> Void
  private let state = Mutex(State())

  init(
    _ socket: WireSocket,
    index: Int,
    deadline: ContinuousClock.Instant,
    log: @escaping @Sendable ((inout WireLog) -> Void) -> Void
  ) {
    self.socket = socket
    self.index = index
    self.deadline = deadline
    self.log = log
  }

  // MARK: Reading

  /// Reads a request: its head, and the declared body.
  public func readRequest() throws -> SeenRequest {
    try readHead()
    return try readBody()
  }

  /// Reads until the empty line that ends a head.
  ///
  /// - Throws: ``WireError/closed`` if the peer closes its side.
  @discardableResult
  public func readHead() throws -> SeenRequest {
    let bytes = try read(through: [13, 10, 13, 10])
    let request = try SeenRequest(head: bytes)
    log { $0.requests.append(request) }
    return request
  }

  /// Reads the body that the last head declares.
  @discardableResult
  public func readBody() throws -> SeenRequest {
    var request: SeenRequest?
    log { request = $0.requests.last }
    guard var request else { throw WireError.unexpected("no head was read before the body") }
    if request.values(of: "Transfer-Encoding").contains(where: { $0.lowercased().hasSuffix("chunked") }) {
      try readChunks(into: &request)
    } else if let length = request.values(of: "Content-Length").first.flatMap({ Int($0) }) {
      guard length >= 0 else { throw WireError.unexpected("a Content-Length of \(length)") }
      request.body = try read(length)
    }
    let complete = request
    log { $0.requests[$0.requests.count - 1] = complete }
    return request
  }

  private func readChunks(into request: inout SeenRequest) throws {
    while true {
      let line = try read(through: [13, 10], limit: 4096).dropLast(2)
      let digits = line.prefix { $0 != UInt8(ascii: ";") }
      guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else {
        throw WireError.unexpected("a chunk has the size \(String(decoding: line, as: UTF8.self))")
      }
      if size == 0 { break }
      let chunk = try read(size)
      guard try read(2) == [13, 10] else { throw WireError.unexpected("a chunk does not end with CR LF") }
      request.chunks.append(chunk)
      request.body += chunk
    }
    while true {
      let line = try read(through: [13, 10], limit: 65_536).dropLast(2)
      if line.isEmpty { break }
      request.trailers.append(try SeenRequest.field(line))
      request.trailerOctets.append(Array(try SeenRequest.nameAndOctets(line).octets))
    }
  }

  /// Reads this many bytes.
  ///
  /// - Throws: ``WireError/closed`` if the peer sends fewer; ``WireError/unexpected(_:)`` if the number, which may
  ///   come from the peer, is negative.
  public func read(_ count: Int) throws -> [UInt8] {
    guard count >= 0 else { throw WireError.unexpected("\(count) bytes to read") }
    while state.withLock({ $0.buffer.count }) < count { try fill() }
    return take(count)
  }

  /// Waits until there are bytes to read.
  ///
  /// - Returns: Whether there are bytes; `false` if the time has passed.
  /// - Throws: ``WireError/closed`` if the peer closed its side, ``WireError/timedOut`` if the time limit of the
  ///   connection is exceeded.
  public func hasBytes(within duration: Duration) throws -> Bool {
    guard state.withLock({ $0.buffer.isEmpty }) else { return true }
    do {
      try fill(until: .now + duration)
      return true
    } catch WireError.timedOut where .now < deadline {
      return false
    }
  }

  /// Reads the bytes that are available, waiting up to a time for the first of them.
  ///
  /// - Returns: The bytes; empty if the time has passed.
  /// - Throws: ``WireError/closed`` if the peer closed its side.
  public func readSome(within duration: Duration) throws -> [UInt8] {
    try hasBytes(within: duration) ? take(.max) : []
  }

  /// Reads until the peer closes its side.
  public func readToEnd() throws {
    do { while true { _ = try readSome(within: .seconds(60)) } } catch WireError.closed {}
  }

  /// Waits until the peer closes or resets the connection, without sending any byte.
  ///
  /// - Throws: ``WireError/timedOut`` if it does not within the time; ``WireError/unexpected(_:)``.
  public func expectEnd(within duration: Duration) throws {
    do {
      let bytes = try readSome(within: duration)
      guard bytes.isEmpty else { throw WireError.unexpected("the peer sent \(bytes.count) bytes more") }
    } catch WireError.closed, WireError.reset {
      return
    }
    throw WireError.timedOut
  }

  /// Waits for a time in which the peer must not send any bytes.
  public func expectSilence(for duration: Duration) throws {
    let bytes = try readSome(within: duration)
    guard bytes.isEmpty else { throw WireError.unexpected("the peer sent \(bytes.count) bytes") }
  }

  /// Keeps the connection open until the peer ends it.
  public func hold() throws {
    while true { _ = try readSome(within: .seconds(60)) }
  }

  /// Keeps the connection open without reading, until the server is stopped.
  ///
  /// - Throws: ``WireError/stopped``, or ``WireError/timedOut`` if the time limit of the connection is exceeded.
  public func stall() throws {
    while ContinuousClock.now < deadline {
      try check()
      pause(.milliseconds(20))
    }
    throw WireError.timedOut
  }

  /// Reads to the end of certain bytes.
  @discardableResult
  package func read(through end: [UInt8], limit: Int = 4 << 20) throws -> [UInt8] {
    var searched = 0
    while true {
      let found = state.withLock { state -> Int? in
        let start = max(0, searched - end.count)
        guard state.buffer.count >= start + end.count else { return nil }
        defer { searched = state.buffer.count }
        return state.buffer[start...].indices.first { index in
          index + end.count <= state.buffer.count
            && state.buffer[index..<(index + end.count)].elementsEqual(end)
        }
      }
      if let found { return take(found + end.count) }
      guard searched <= limit else { throw WireError.unexpected("more than \(limit) bytes without an end") }
      try fill()
    }
  }

  private func take(_ count: Int) -> [UInt8] {
    state.withLock { state in
      guard count < state.buffer.count else {
        defer { state.buffer = [] }
        return state.buffer
      }
      defer { state.buffer.removeFirst(count) }
      return Array(state.buffer.prefix(count))
    }
  }

  private func fill(until instant: ContinuousClock.Instant? = nil) throws {
    try check()
    let bytes = try socket.read(atMost: 65_536, until: min(instant ?? deadline, deadline))
    guard !bytes.isEmpty else {
      throw state.withLock { $0.isInterrupted } ? WireError.stopped : WireError.closed
    }
    state.withLock { $0.buffer += bytes }
    log { log in
      log.received += bytes.count
      log.bytes += bytes.prefix(max(0, 256 * 1024 - log.bytes.count))
    }
  }

  // MARK: Writing

  /// Sends bytes, and returns when the system has accepted them.
  ///
  /// - Throws: ``WireError/reset`` if the peer has closed the connection, ``WireError/timedOut`` if it does not read.
  public func send(_ bytes: [UInt8]) throws {
    try check()
    try socket.write(bytes, until: deadline)
    log { $0.sent += bytes.count }
  }

  /// Sends a text in which each character represents the byte with its number.
  public func send(_ text: String) throws {
    try send(WireStep.bytes(of: text))
  }

  /// Waits, at most until the time limit of the connection.
  public func pause(_ duration: Duration) {
    let left = min(duration, deadline - .now)
    if left > .zero { Thread.sleep(forTimeInterval: left / .seconds(1)) }
  }

  // MARK: Ending

  /// Closes the sending side; the peer may continue to send.
  public func halfClose() {
    socket.closeSending()
  }

  /// Closes the connection. If there is unread data, the system sends a reset.
  public func close() {
    if end() { socket.close() }
  }

  /// Resets the connection.
  public func reset() {
    if end() { socket.reset() }
  }

  private func end() -> Bool {
    state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
  }

  /// Makes a thread that waits in here go on and fail.
  func interrupt() {
    state.withLock { state in
      state.isInterrupted = true
      if !state.isClosed { socket.interrupt() }
    }
  }

  private func check() throws(WireError) {
    let (isClosed, isInterrupted) = state.withLock { ($0.isClosed, $0.isInterrupted) }
    if isInterrupted { throw .stopped }
    if isClosed { throw .closed }
  }
}
