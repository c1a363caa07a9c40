import StagecoachCore
import StagecoachStages

#if os(Linux)
  import Dispatch

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Reads rtnetlink until it is cancelled: a socket, and a source of Dispatch that sleeps until there is
  /// something to read.
  final class NetworkWatch: Sendable {
    /// The socket; closed once the watch is cancelled and its last read is over.
    let descriptor: Int32
    // Safe: a reference that never changes, to what any thread may cancel.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Nil if the system does not let us ask: some sandboxes forbid such sockets.
    ///
    /// - Parameters:
    ///   - report: Told the status, again and again, on a queue of the watch.
    ///   - onClose: Told when the socket is closed.
    init?(
      report: @escaping @Sendable (NetworkStatus) -> Void,
      onClose: @escaping @Sendable () -> Void = {}
    ) {
      guard let descriptor = Self.open() else { return nil }
      self.descriptor = descriptor
      let queue = DispatchQueue(label: "stagecoach.network")
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      let reader = NetlinkReader(descriptor, report: report)
      source.setEventHandler { reader.read() }
      source.setCancelHandler {
        close(descriptor)
        onClose()
      }
      queue.async { reader.start() }
      source.activate()
    }

    deinit { cancel() }

    func cancel() { source.cancel() }

    private static func open() -> Int32? {
      #if canImport(Glibc)
        let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      #else
        let type = SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK
      #endif
      let descriptor = socket(NetlinkCode.family, type, 0)
      guard descriptor >= 0 else { return nil }
      // struct sockaddr_nl: family, padding, port (the kernel gives one), groups.
      var address = (UInt16(NetlinkCode.family), UInt16(0), UInt32(0), NetlinkCode.groups)
      let isBound = withUnsafeBytes(of: &address) { octets in
        octets.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, 12) == 0 }
      }
      guard isBound else {
        close(descriptor)
        return nil
      }
      return descriptor
    }
  }

  /// Moves datagrams from the socket to the session; used on the queue of the watch only.
  private final class NetlinkReader: @unchecked Sendable {
    // Safe: after its making, everything is called on one serial queue.
    private let descriptor: Int32
    private let report: @Sendable (NetworkStatus) -> Void
    private var session = NetlinkSession { $0.kind() }
    // The kernel sends no larger parts of a table than that.
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    init(_ descriptor: Int32, report: @escaping @Sendable (NetworkStatus) -> Void) {
      self.descriptor = descriptor
      self.report = report
    }

    func start() { send(session.restart()) }

    /// Reads what is there.
    func read() {
      while true {
        // struct sockaddr_nl: whoever is not the kernel has a port.
        var sender = (UInt16(0), UInt16(0), UInt32(0), UInt32(0))
        var length = socklen_t(12)
        let count = buffer.withUnsafeMutableBytes { octets in
          withUnsafeMutableBytes(of: &sender) { address in
            address.withMemoryRebound(to: sockaddr.self) {
              recvfrom(
                descriptor,
                octets.baseAddress,
                octets.count,
                Int32(MSG_TRUNC),
                $0.baseAddress,
                &length
              )
            }
          }
        }
        if count < 0 {
          switch errno {
          case EINTR: continue
          case ENOBUFS:
            // Datagrams were lost.
            send(session.restart())
            continue
          default: return
          }
        }
        guard sender.2 == 0 else { continue }
        guard count <= buffer.count else {
          send(session.restart())
          continue
        }
        let action = buffer.withUnsafeBytes {
          session.receive(UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
        }
        if let request = action.request { send(request) }
        if let status = action.status { report(status) }
      }
    }

    private func send(_ request: [UInt8]) {
      // Without a destination it goes to the kernel, which may have no memory now.
      let count = request.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, $0.count, 0) }
      if count < 0 { session.requestFailed() }
    }
  }

  // Under a name of its own, since a member of the same name hides the function of the C library.
  private func systemSend(_ descriptor: Int32, _ octets: UnsafeRawPointer?, _ count: Int, _ flags: Int32)
    -> Int
  {
    send(descriptor, octets, count, flags)
  }
#endif
