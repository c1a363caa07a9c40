#if Redis
  import Dispatch
  import Foundation
  import TestSupport

  /// A listener on loopback that answers as it likes.
  final class FakeRedis: Sendable {
    let port: Int
    private let listener: Int32

    /// - Parameter answer: Returns the answer to received bytes; `nil` to close the connection.
    init(_ answer: @escaping @Sendable (String) -> String?) throws {
      #if canImport(Glibc)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let listener = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      self.listener = listener
      _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isReady = withUnsafeMutableBytes(of: &address) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) { address in
          bind(listener, address.baseAddress, length) == 0 && listen(listener, 64) == 0
            && getsockname(listener, address.baseAddress, &length) == 0
        }
      }
      guard isReady else { throw POSIXError(.EADDRINUSE) }
      port = Int(UInt16(bigEndian: address.sin_port))
      DispatchQueue(label: "fake").async {
        while case let connection = accept(listener, nil, nil), connection >= 0 {
          DispatchQueue(label: "fake.connection").async { Self.serve(connection, answer) }
        }
        close(listener)
      }
    }

    /// Ends the thread that accepts, which closes the socket.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ connection: Int32, _ answer: (String) -> String?) {
      defer { close(connection) }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
        guard let answer = answer(String(decoding: buffer.prefix(count), as: UTF8.self)) else { return }
        let octets = Array(answer.utf8)
        #if canImport(Darwin)
          _ = send(connection, octets, octets.count, 0)
        #else
          _ = send(connection, octets, octets.count, Int32(MSG_NOSIGNAL))
        #endif
      }
    }
  }
#endif
