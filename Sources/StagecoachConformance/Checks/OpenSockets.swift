#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The sockets that this process has open.
///
/// A server only sees that a client has closed a connection if the server has not ended it before. After the server
/// closes or resets a connection it receives nothing, and the descriptor is the only evidence.
enum OpenSockets {
  /// Returns the number of sockets bound to one of these client ports.
  static func count(boundTo ports: Set<Int>) -> Int {
    ports.isEmpty ? 0 : (0..<limit).count { isBound($0, to: ports) }
  }

  /// Whether a descriptor is a socket that is bound to one of these ports.
  static func isBound(_ descriptor: Int32, to ports: Set<Int>) -> Bool {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return result == 0 && ports.contains(port(of: address))
  }

  /// Waits until no socket is bound to one of these ports.
  ///
  /// - Returns: How many are left when the patience of the kit is over.
  static func left(boundTo ports: Set<Int>) async throws -> Int {
    let deadline = ContinuousClock.now + Check.patience
    while true {
      let count = count(boundTo: ports)
      guard count > 0, .now < deadline else { return count }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Beyond the highest number that a descriptor is likely to have: the system's limit may be a billion.
  private static var limit: Int32 {
    Int32(max(0, min(sysconf(Int32(_SC_OPEN_MAX)), 65_536)))
  }
}
