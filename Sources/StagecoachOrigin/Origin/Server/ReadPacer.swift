#if Tool
  import NIOCore

  /// Reads a connection at a given rate, so that a peer that sends faster meets back-pressure.
  final class ReadPacer {
    private let context: ChannelHandlerContext
    private let bytesPerSecond: Int
    private let start = NIODeadline.now()
    private var received = 0
    private var timer: Scheduled<Void>?

    /// Also makes the receive buffer of the socket small for the rest of the connection: otherwise the
    /// system would take in megabytes, whatever the rate.
    init(bytesPerSecond: Int, _ context: ChannelHandlerContext) throws {
      self.context = context
      self.bytesPerSecond = bytesPerSecond
      guard let options = context.channel.syncOptions else { return }
      // About twenty reads a second.
      let size = min(max(bytesPerSecond / 20, 64), 65_536)
      try options.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: size))
      try options.setOption(.maxMessagesPerRead, value: 1)
      try options.setOption(.socketOption(.so_rcvbuf), value: 16_384)
    }

    func received(_ count: Int) { received += count }

    /// Reads now, or as soon as the rate allows it.
    func read() {
      guard timer == nil else { return }
      let due = start + .nanoseconds(Int64(Double(received) / Double(bytesPerSecond) * 1e9))
      guard due > .now() else {
        context.read()
        return
      }
      timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) {
        self.timer = nil
        self.context.read()
      }
    }

    func cancel() { timer?.cancel() }
  }
#endif
