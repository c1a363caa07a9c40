#if Tool && os(Linux)
  import Foundation

  /// A port of loopback where nobody accepts connections: the system makes them, and nobody reads from them.
  struct DeafListener {
    let port: Int
    private var descriptors: [Int32]

    /// - Parameter hasRoom: Whether connections are made. If not, the first one has filled the queue of the system,
    ///   which leaves others unanswered.
    init(hasRoom: Bool = true) throws {
      func open() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0) }
      let listener = open()
      descriptors = [listener]
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let first = hasRoom ? nil : open()
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

    func stop() { for descriptor in descriptors { close(descriptor) } }
  }
#endif
