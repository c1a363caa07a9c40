#if CURL
  /// The two endpoints of a connection, which identify it while it is open.
  struct Link: Hashable {
    let remote: String
    let remotePort: Int32
    let local: String
    let localPort: Int32

    /// The address of the peer with its port, as text; `nil` for a Unix socket.
    var remoteText: String? {
      guard remotePort > 0 else { return nil }
      return remote.utf8.contains(UInt8(ascii: ":")) ? "[\(remote)]:\(remotePort)" : "\(remote):\(remotePort)"
    }
  }
#endif
