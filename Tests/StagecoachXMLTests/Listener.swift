#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A listening socket on the loopback interface, which tells whether somebody came.
final class Listener {
  let port: UInt16
  private let descriptor: Int32

  init?() {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return nil }
    var address = Self.loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = self.descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else { return nil }
  }

  deinit { close(descriptor) }

  /// Whether a connection waits to be accepted.
  var hasConnection: Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Self.wait(&poll)
  }

  /// Connects, to prove that the listener would notice.
  func connect() -> Bool {
    #if canImport(Glibc)
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let client = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { close(client) }
    var address = Self.loopback(port: port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Self.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func wait(_ poll: inout pollfd) -> Bool {
    withUnsafeMutablePointer(to: &poll) { pointer in
      #if canImport(Glibc)
        Glibc.poll(pointer, 1, 50) > 0
      #elseif canImport(Musl)
        Musl.poll(pointer, 1, 50) > 0
      #else
        Darwin.poll(pointer, 1, 50) > 0
      #endif
    }
  }

  private static func connect(_ client: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32
  {
    #if canImport(Glibc)
      Glibc.connect(client, address, size)
    #elseif canImport(Musl)
      Musl.connect(client, address, size)
    #else
      Darwin.connect(client, address, size)
    #endif
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
