import Foundation

/// A port of loopback where nobody accepts connections: the system makes them, and nobody reads from them.
package struct DeafListener {
  package let port: Int
  private var descriptors: [Int32]

  /// - Parameter hasRoom: Whether connections are made. If not, the first one has filled the queue of the system,
  ///   which leaves others unanswered.
  package init(hasRoom: Bool = true) throws {
    let listener = streamSocket()
    descriptors = [listener]
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let first = hasRoom ? nil : streamSocket()
    if let first { descriptors.append(first) }
    let isReady = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { address in
        bind(listener, address.baseAddress, length) == 0 && listen(listener, hasRoom ? 64 : 0) == 0
          && getsockname(listener, address.baseAddress, &length) == 0
          && first.map { connect($0, address.baseAddress, length) == 0 } ?? true
      }
    }
    guard isReady else { throw POSIXError(.EADDRINUSE) }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  package func stop() { for descriptor in descriptors { close(descriptor) } }
}
