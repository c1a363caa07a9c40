#if Tool
  import Stagecoach

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A connected TCP socket; its calls block.
  final class Socket: Sendable {
    /// The longest answer: 1 MiB.
    private static let limit = 1 << 20

    private let descriptor: Int32

    /// Connects to an IPv4 address; the system waits two seconds at most for an answer.
    init(to address: String, _ port: UInt16) throws {
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      guard inet_pton(AF_INET, address, &name.sin_addr) == 1 else {
        throw ExchangeError(.unsupported, "\(address) is not an IPv4 address")
      }
      #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
      #else
        let type = SOCK_STREAM
      #endif
      descriptor = socket(AF_INET, type, 0)
      guard descriptor >= 0 else { throw Self.failure(.transport) }
      var time = timeval(tv_sec: 2, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
      let result = withUnsafeBytes(of: &name) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) {
          connect(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard result == 0 else { throw Self.failure(.connectionFailed) }
    }

    deinit {
      if descriptor >= 0 { close(descriptor) }
    }

    /// Sends a message and reads until the peer closes the connection.
    func exchange(_ message: [UInt8]) throws -> [UInt8] {
      if let code = Descriptor.write(Bytes(message), to: descriptor) {
        throw ExchangeError.file("cannot write", "a socket", code)
      }
      var answer: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 16 * 1024)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw Self.failure(.connectionReset) }
        guard count > 0 else { return answer }
        answer += buffer[..<count]
        guard answer.count <= Self.limit else {
          throw ExchangeError(.limit(.body), "the answer has more than \(Self.limit) bytes")
        }
      }
    }

    private static func failure(_ kind: ExchangeError.Kind) -> ExchangeError {
      ExchangeError(kind, String(cString: strerror(errno)))
    }
  }
#endif
