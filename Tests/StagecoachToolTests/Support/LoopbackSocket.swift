#if Tool
  import Foundation

  /// A TCP connection to a server on this machine. Its calls block.
  final class LoopbackSocket {
    private let descriptor: Int32

    /// - Parameter receiveBuffer: The bytes that the system takes before they are received; it decides by default.
    init(port: Int, receiveBuffer: CInt? = nil) throws {
      #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      // No other program that a test starts may keep it open.
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      if var receiveBuffer {
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<CInt>.size))
      }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard status == 0 else { throw Self.failure() }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Self.failure() }
        rest = rest.dropFirst(count)
      }
    }

    /// - Returns: The next bytes; none at the end.
    func receive() throws -> [UInt8] {
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw Self.failure() }
        return Array(buffer.prefix(count))
      }
    }

    private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
#endif
