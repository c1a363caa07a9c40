#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The reason that a step on a wire failed.
@nonexhaustive
public enum WireError: Error, Sendable, Hashable {
  /// The peer closed its side.
  case closed
  /// The peer reset the connection.
  case reset
  /// The time limit was exceeded.
  case timedOut
  /// The server was stopped.
  case stopped
  /// The peer sent bytes that the step does not allow.
  case unexpected(String)
  /// The system reported an error; the number is `errno`.
  case system(String, Int32)
}

/// A socket by its descriptor: every wait is a `poll` with a deadline, so that no thread waits forever.
struct WireSocket {
  let descriptor: Int32
  /// The IP address and the TCP port of the peer of a connection; otherwise empty and 0.
  var peerAddress = ""
  var peerPort = 0

  /// Listens on a TCP port that the system chooses.
  static func listening(on host: String) throws(WireError) -> (socket: WireSocket, port: Int) {
    let (socket, port) = try bound(to: host)
    try socket.listen()
    return (socket, port)
  }

  /// Binds a free TCP port without listening.
  static func bound(to host: String) throws(WireError) -> (socket: WireSocket, port: Int) {
    let isVersion6 = host.contains(":")
    let socket = try made(isVersion6 ? AF_INET6 : AF_INET)
    var on: Int32 = 1
    setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var port: in_port_t = 0
    if isVersion6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { throw .system("inet_pton", EINVAL) }
      try socket.bind(&address)
      try socket.name(&address)
      port = address.sin6_port
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw .system("inet_pton", EINVAL) }
      try socket.bind(&address)
      try socket.name(&address)
      port = address.sin_port
    }
    return (socket, Int(in_port_t(bigEndian: port)))
  }

  /// Listens on a Unix domain socket.
  static func listening(atPath path: String) throws(WireError) -> WireSocket {
    var address = sockaddr_un()
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < capacity else { throw .system("bind", ENAMETOOLONG) }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let socket = try made(AF_UNIX)
    unlink(path)
    try socket.bind(&address)
    try socket.listen()
    return socket
  }

  private static func made(_ family: Int32) throws(WireError) -> WireSocket {
    #if canImport(Glibc)
      let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #elseif canImport(Musl)
      let descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)
    #else
      let descriptor = socket(family, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw .system("socket", errno) }
    return WireSocket(descriptor: descriptor)
  }

  private func bind<Address>(_ address: inout Address) throws(WireError) {
    let length = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { systemBind(descriptor, $0, length) }
    }
    guard result == 0 else { throw failed("bind") }
  }

  private func listen() throws(WireError) {
    guard systemListen(descriptor, 1024) == 0 else { throw failed("listen") }
  }

  private func failed(_ call: String) -> WireError {
    let code = errno
    close()
    return .system(call, code)
  }

  private func name<Address>(_ address: inout Address) throws(WireError) {
    var length = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0 else { throw .system("getsockname", errno) }
  }

  /// Waits until the socket is ready.
  ///
  /// - Returns: Whether it was, before the deadline.
  func wait(for events: Int32, until deadline: ContinuousClock.Instant) throws(WireError) -> Bool {
    while true {
      let left = deadline - .now
      guard left > .zero else { return false }
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let milliseconds = left / .milliseconds(1)
      let result = poll(&entry, 1, Int32(min(milliseconds.rounded(.up), 1000)))
      if result > 0 { return true }
      guard result == 0 || errno == EINTR else { throw .system("poll", errno) }
    }
  }

  /// Accepts a connection; nil at the deadline.
  func accept(until deadline: ContinuousClock.Instant) throws(WireError) -> WireSocket? {
    guard try wait(for: POLLIN, until: deadline) else { return nil }
    // The peer may be gone before its address can be queried.
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let accepted = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { systemAccept(descriptor, $0, &length) }
    }
    guard accepted >= 0 else {
      if errno == ECONNABORTED || errno == EINTR { return nil }
      throw .system("accept", errno)
    }
    var on: Int32 = 1
    setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      setsockopt(accepted, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return WireSocket(descriptor: accepted, peerAddress: host(of: address), peerPort: port(of: address))
  }

  /// Reads the available bytes, up to a number; empty at the end of the peer's side.
  func read(atMost count: Int, until deadline: ContinuousClock.Instant) throws(WireError) -> [UInt8] {
    guard try wait(for: POLLIN, until: deadline) else { throw .timedOut }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let result = recv(descriptor, buffer.baseAddress, count, 0)
      initialized = max(0, result)
      if result < 0 { failure = errno }
    }
    if failure == ECONNRESET { throw .reset }
    guard failure == 0 else { throw .system("recv", failure) }
    return bytes
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(WireError) {
    #if canImport(Darwin)
      let flags = MSG_DONTWAIT
    #else
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif
    var written = 0
    while written < bytes.count {
      guard try wait(for: POLLOUT, until: deadline) else { throw .timedOut }
      let result = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress! + written, bytes.count - written, flags)
      }
      if result >= 0 {
        written += result
      } else if errno == EPIPE || errno == ECONNRESET {
        throw .reset
      } else if errno != EAGAIN, errno != EINTR {
        throw .system("send", errno)
      }
    }
  }

  /// Ends the sending side; the peer reads to its end.
  func closeSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Shuts down both sides, so that waiting threads wake up. The descriptor stays open.
  func interrupt() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  func close() {
    systemClose(descriptor)
  }

  /// Closes so that the peer gets a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }
}

// The functions of the system whose names a method has too.

private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32
{
  bind(descriptor, address, length)
}

private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

/// Accepts a connection that no program inherits which this one starts.
private func systemAccept(
  _ descriptor: Int32,
  _ address: UnsafeMutablePointer<sockaddr>?,
  _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 {
  let accepted = accept(descriptor, address, length)
  if accepted >= 0 { _ = fcntl(accepted, F_SETFD, FD_CLOEXEC) }
  return accepted
}

/// The IP address of an address as text; empty of any other.
private func host(of address: sockaddr_storage) -> String {
  let text = [CChar](unsafeUninitializedCapacity: Int(INET6_ADDRSTRLEN)) { buffer, count in
    withUnsafePointer(to: address) { pointer in
      let raw = UnsafeRawPointer(pointer)
      let offset =
        switch Int32(address.ss_family) {
        case AF_INET: MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)
        case AF_INET6: MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)
        default: Int?.none
        }
      guard let offset, let start = buffer.baseAddress,
        inet_ntop(Int32(address.ss_family), raw + offset, start, socklen_t(buffer.count)) != nil
      else { return }
      count = strlen(start)
    }
  }
  return String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// The TCP port of an address; 0 of any other.
func port(of address: sockaddr_storage) -> Int {
  withUnsafePointer(to: address) { pointer in
    switch Int32(address.ss_family) {
    case AF_INET:
      pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        Int(in_port_t(bigEndian: $0.pointee.sin_port))
      }
    case AF_INET6:
      pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        Int(in_port_t(bigEndian: $0.pointee.sin6_port))
      }
    default: 0
    }
  }
}

@discardableResult
private func systemClose(_ descriptor: Int32) -> Int32 {
  close(descriptor)
}
