package import Foundation

/// A port of loopback that nobody listens on and that the system gives to nobody: it lies below those
/// that it hands out.
package func freePort() throws -> Int {
  for _ in 0..<1000 {
    let port = UInt16.random(in: 20_000..<32_000)
    let descriptor = streamSocket()
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isFree = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
    }
    if isFree { return Int(port) }
  }
  throw POSIXError(.EADDRINUSE)
}

/// Waits until a port takes connections.
///
/// - Parameter log: Where the server writes why it does not start.
package func waitForServer(on port: Int, log: URL) async throws {
  for _ in 0..<3000 {
    if canConnect(to: port) { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  throw ServerFailure.didNotStart(log: log)
}

/// A socket of TCP that a program which another test starts does not inherit.
func streamSocket() -> Int32 {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}

/// Whether somebody takes connections at a port.
package func canConnect(to port: Int) -> Bool {
  let descriptor = streamSocket()
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}
