import Dispatch
import Stagecoach
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A TCP socket that waits without a thread, until ``abort()``.
final class Socket: Sendable {
  /// The address, with the port.
  let address: String

  private enum Direction { case reading, writing }

  private struct State {
    var isAborted = false
    var waiting: [Direction: CheckedContinuation<Void, Never>] = [:]
  }

  private let host: in_addr
  private let port: UInt16
  private let descriptor: Int32
  private let state = Mutex(State())
  private static let queue = DispatchQueue(label: "stagecoach.socket", attributes: .concurrent)

  /// Creates a socket for an IPv4 address, or for `localhost`.
  ///
  /// - Throws: `ExchangeError` of kind `unsupported` for another host, `transport` if the system has no more sockets.
  init(_ host: String, port: Int) throws {
    var parsed = in_addr()
    guard inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &parsed) == 1,
      let number = UInt16(exactly: port)
    else { throw ExchangeError(.unsupported, "\(host) is not an IPv4 address") }
    self.host = parsed
    self.port = number
    address = "\(host):\(port)"
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { throw Self.failure(.transport, errno) }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    close(descriptor)
  }

  /// Ends every call that waits. The descriptor is closed with the last reference.
  func abort() {
    let waiting = state.withLock { state in
      state.isAborted = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  func connect() async throws {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr = host
    let result = withUnsafeBytes(of: &name) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        systemConnect(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result != 0 else { return }
    guard errno == EINPROGRESS else { throw Self.failure(.connectionFailed, errno) }
    try await ready(for: .writing)
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    guard code == 0 else {
      throw Self.failure(code == ECONNREFUSED ? .connectionRefused : .connectionFailed, code)
    }
  }

  func write(_ bytes: Bytes) async throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EAGAIN {
        try await ready(for: .writing)
      } else if count < 0, errno != EINTR {
        throw Self.failure(.connectionReset, errno)
      } else {
        rest = rest.dropFirst(max(count, 0))
      }
    }
  }

  /// What has arrived, up to 16 KiB; empty at the end.
  func read() async throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      try checkAborted()
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count >= 0 { return Array(buffer[..<count]) }
      guard errno == EAGAIN || errno == EINTR else { throw Self.failure(.connectionReset, errno) }
      try await ready(for: .reading)
    }
  }

  /// Waits until the socket is ready. Only one task waits in each direction.
  private func ready(for direction: Direction) async throws {
    await withCheckedContinuation { continuation in
      let isAborted = state.withLock { state in
        if !state.isAborted { state.waiting[direction] = continuation }
        return state.isAborted
      }
      guard !isAborted else { return continuation.resume() }
      let source: any DispatchSourceProtocol =
        switch direction {
        case .reading: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
        case .writing: DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Self.queue)
        }
      // The socket stays open until its source is cancelled; an aborted one is ready in both directions.
      source.setEventHandler { [self] in
        source.cancel()
        state.withLock { $0.waiting.removeValue(forKey: direction) }?.resume()
      }
      source.resume()
    }
    try checkAborted()
  }

  private func checkAborted() throws {
    guard !state.withLock(\.isAborted) else { throw CancellationError() }
  }

  private static func failure(_ kind: ExchangeError.Kind, _ code: Int32) -> ExchangeError {
    ExchangeError(kind, String(cString: strerror(code)))
  }
}

// The name is that of a method above.
private let systemConnect = connect
