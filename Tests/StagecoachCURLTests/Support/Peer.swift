#if CURL
  import Foundation
  import Synchronization
  import Testing

  /// A socket of TCP that a program which another test starts does not inherit.
  func streamSocket() -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    prepare(descriptor)
    return descriptor
  }

  /// Keeps a socket from the programs that tests start and, where each call cannot, from raising SIGPIPE.
  private func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  #if canImport(Darwin)
    private let withoutSignal: Int32 = 0
  #else
    private let withoutSignal = Int32(MSG_NOSIGNAL)
  #endif

  /// A server of sockets whose connections play what a test says, each on a thread of its own.
  final class Peer: Sendable {
    /// The part of a test that plays the server on one connection.
    typealias Script = @Sendable (Connection) throws -> Void

    let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
      var accepted = 0
      var closed = 0
      var open: [Connection] = []
      var received: [UInt8] = []
      var isStopped = false
    }

    /// Plays a script on each connection.
    init(_ script: @escaping Script) throws {
      listener = streamSocket()
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let listener = listener
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
          bind(listener, name, length) == 0 && listen(listener, 600) == 0
            && getsockname(listener, name, &length) == 0
        }
      }
      try #require(result)
      port = Int(UInt16(bigEndian: address.sin_port))
      Thread.detachNewThread { [self] in
        while true {
          let descriptor = accept(listener, nil, nil)
          guard descriptor >= 0 else {
            close(listener)
            return
          }
          prepare(descriptor)
          let connection = Connection(descriptor, self)
          let isStopped = state.withLock { state in
            state.accepted += 1
            state.open.append(connection)
            return state.isStopped
          }
          if isStopped { connection.interrupt() }
          Thread.detachNewThread {
            try? script(connection)
            connection.close()
            self.state.withLock { $0.closed += 1 }
          }
        }
      }
    }

    var url: String { "http://127.0.0.1:\(port)/" }
    var accepted: Int { state.withLock { $0.accepted } }
    /// How many connections have ended.
    var closed: Int { state.withLock { $0.closed } }
    /// All bytes that all connections received.
    var received: [UInt8] { state.withLock { $0.received } }
    var text: String { String(decoding: received, as: UTF8.self) }

    fileprivate func note(_ bytes: some Sequence<UInt8>) {
      state.withLock { $0.received += bytes }
    }

    func stop() {
      // Each descriptor is closed by the thread that uses it: its number may be that of another connection then.
      shutdown(listener, Int32(SHUT_RDWR))
      let open = state.withLock { state in
        state.isStopped = true
        return state.open
      }
      for connection in open { connection.interrupt() }
    }

    /// One connection; its calls block.
    final class Connection: Sendable {
      struct Closed: Error {}

      private let descriptor: Int32
      private let peer: Peer
      private let rest = Mutex<[UInt8]>([])
      private let isClosed = Mutex(false)

      fileprivate init(_ descriptor: Int32, _ peer: Peer) {
        self.descriptor = descriptor
        self.peer = peer
      }

      /// Reads what is there, at least a byte.
      func read() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Closed() }
        peer.note(buffer[..<count])
        return Array(buffer[..<count])
      }

      /// Reads a head to its empty line.
      @discardableResult
      func readHead() throws -> String {
        try readUntil(Array("\r\n\r\n".utf8))
      }

      @discardableResult
      func readUntil(_ mark: [UInt8]) throws -> String {
        while true {
          let found = rest.withLock { rest -> [UInt8]? in
            guard let range = rest.firstRange(of: mark) else { return nil }
            defer { rest.removeSubrange(..<range.upperBound) }
            return Array(rest[..<range.upperBound])
          }
          if let found { return String(decoding: found, as: UTF8.self) }
          let more = try read()
          rest.withLock { $0 += more }
        }
      }

      /// Reads so many bytes.
      @discardableResult
      func read(count: Int) throws -> [UInt8] {
        while rest.withLock({ $0.count }) < count {
          let more = try read()
          rest.withLock { $0 += more }
        }
        return rest.withLock { rest in
          defer { rest.removeFirst(count) }
          return Array(rest[..<count])
        }
      }

      /// Reads and forgets so many bytes.
      func skip(count: Int) throws {
        var left =
          count
          - rest.withLock { rest in
            defer { rest = [] }
            return rest.count
          }
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { buffer.deallocate() }
        while left > 0 {
          let count = recv(descriptor, buffer, min(left, 65_536), 0)
          guard count > 0 else { throw Closed() }
          left -= count
        }
      }

      /// Reads and forgets until the other side ends.
      func readToEnd() {
        while (try? read()) != nil {}
      }

      /// Whether nothing comes for so many milliseconds.
      func isQuiet(for milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return rest.withLock { $0.isEmpty } && poll(&entry, 1, milliseconds) == 0
      }

      func send(_ text: String) throws { try send(Array(text.utf8)) }

      func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
          let count = bytes[sent...].withUnsafeBytes {
            Foundation.send(descriptor, $0.baseAddress, $0.count, withoutSignal)
          }
          guard count > 0 else { throw Closed() }
          sent += count
        }
      }

      func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

      /// Ends with RST.
      func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
      }

      /// Ends what its thread waits for.
      fileprivate func interrupt() {
        isClosed.withLock { isClosed in
          guard !isClosed else { return }
          shutdown(descriptor, Int32(SHUT_RDWR))
        }
      }

      func close() {
        isClosed.withLock { isClosed in
          guard !isClosed else { return }
          isClosed = true
          shutdown(descriptor, Int32(SHUT_RDWR))
          _ = Foundation.close(descriptor)
        }
      }
    }
  }
#endif
