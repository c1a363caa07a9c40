#if Tool
  import Dispatch

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A client over a blocking socket. Its calls block a thread of its own, never one of Swift's pool.
  actor Peer {
    struct Failure: Error {
      let call: String
      let code: Int32
    }

    /// No call waits longer than this.
    private static let patience = timeval(tv_sec: 20, tv_usec: 0)

    /// Writing to a connection that the peer has closed must fail, not end the process.
    private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    private let executor = BlockingExecutor()
    private let descriptor: Int32
    private var input: [UInt8] = []
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(port: Int) throws {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      descriptor = try Self.connect(AF_INET, address)
    }

    init(ipv6Port port: Int) throws {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = in_port_t(port).bigEndian
      address.sin6_addr = in6addr_loopback
      descriptor = try Self.connect(AF_INET6, address)
    }

    init(unixSocketPath path: String) throws {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
      descriptor = try Self.connect(AF_UNIX, address)
    }

    deinit {
      if !isClosed { _ = systemClose(descriptor) }
    }

    private static func connect<Address>(_ family: Int32, _ address: Address) throws -> Int32 {
      _ = Self.ignoresBrokenPipes
      #if canImport(Glibc)
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = socket(family, SOCK_STREAM, 0)
      #endif
      guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
      var patience = Self.patience
      let size = socklen_t(MemoryLayout<timeval>.size)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
      // Of its own accord the system may take up to 32 MB that nobody reads.
      var buffer = CInt(256 << 10)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<CInt>.size))
      let result = withUnsafeBytes(of: address) { bytes in
        systemConnect(
          descriptor,
          bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
          socklen_t(bytes.count)
        )
      }
      guard result == 0 else {
        let code = errno
        _ = systemClose(descriptor)
        throw Failure(call: "connect", code: code)
      }
      return descriptor
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes { buffer in
          write(descriptor, buffer.baseAddress, buffer.count)
        }
        guard count > 0 else { throw Failure(call: "send", code: errno) }
        sent += count
      }
    }

    /// Sends as much as the system takes without waiting.
    func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
      let flags = fcntl(descriptor, F_GETFL, 0)
      _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
      defer { _ = fcntl(descriptor, F_SETFL, flags) }
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { break }
        sent += count
      }
      return sent
    }

    /// What comes next, at most 64 KiB; empty at the end of the connection.
    func receive() throws -> [UInt8] {
      guard input.isEmpty else {
        defer { input = [] }
        return input
      }
      return try receiveFromSystem()
    }

    private func receiveFromSystem() throws -> [UInt8] {
      let size = 65_536
      var result = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        result = recv(descriptor, buffer.baseAddress, size, 0)
        count = max(result, 0)
      }
      guard result >= 0 else { throw Failure(call: "recv", code: errno) }
      return bytes
    }

    func receiveToEnd() throws -> [UInt8] {
      var all: [UInt8] = []
      while true {
        let bytes = try receive()
        if bytes.isEmpty { return all }
        all += bytes
      }
    }

    func closeSendingSide() {
      shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes both directions now; the descriptor goes with the actor.
    func disconnect() {
      shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Breaks the connection off with RST; nothing can be called afterwards.
    func reset() {
      var abortively = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &abortively, socklen_t(MemoryLayout<linger>.size))
      isClosed = true
      _ = systemClose(descriptor)
    }

    // MARK: HTTP

    /// Reads a line without its CRLF.
    func line() throws -> String {
      while true {
        if let end = input.firstIndex(of: 0x0A) {
          var line = input[..<end]
          if line.last == 0x0D { line.removeLast() }
          input = Array(input[(end + 1)...])
          return String(decoding: line, as: UTF8.self)
        }
        let more = try receiveFromSystem()
        guard !more.isEmpty else { throw Failure(call: "end of connection in a line", code: 0) }
        input += more
      }
    }

    func bytes(_ count: Int) throws -> [UInt8] {
      while input.count < count {
        let more = try receiveFromSystem()
        guard !more.isEmpty else { throw Failure(call: "end of connection in a body", code: 0) }
        input += more
      }
      defer { input = Array(input[count...]) }
      return Array(input[..<count])
    }

    func receiveResponse(toHEAD: Bool = false) throws -> WireResponse {
      var response = WireResponse()
      let status = try line().split(separator: " ", maxSplits: 2).map(String.init)
      response.status = Int(status[1]) ?? -1
      response.fields = try fields()
      if toHEAD || response.status < 200 || response.status == 204 || response.status == 304 {
        return response
      }
      if response["transfer-encoding"] == "chunked" {
        while let size = Int(try line(), radix: 16), size > 0 {
          response.body += try bytes(size)
          response.chunks.append(size)
          _ = try line()
        }
        response.trailers = try fields()
      } else if let length = response["content-length"].flatMap({ Int($0) }) {
        response.body = try bytes(length)
      } else {
        response.body = try receiveToEnd()
      }
      return response
    }

    private func fields() throws -> [WireResponse.Field] {
      var fields: [WireResponse.Field] = []
      while true {
        let line = try line()
        guard let colon = line.firstIndex(of: ":") else { return fields }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        fields.append(WireResponse.Field(name: String(line[..<colon]), value: String(value)))
      }
    }
  }

  struct WireResponse: Sendable {
    struct Field: Sendable, Hashable {
      let name: String
      let value: String
    }

    var status = 0
    var fields: [Field] = []
    var body: [UInt8] = []
    var chunks: [Int] = []
    var trailers: [Field] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    func values(of name: String) -> [String] {
      fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    subscript(name: String) -> String? { values(of: name).first }
  }

  /// Runs an actor on a queue of its own.
  private final class BlockingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "peer")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
  }

  // The actor's own methods hide the system calls of these names.
  private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

  private func systemConnect(
    _ descriptor: Int32,
    _ address: UnsafePointer<sockaddr>?,
    _ length: socklen_t
  ) -> Int32 {
    guard let address else { return -1 }
    return connect(descriptor, address, length)
  }
#endif
