#if Redis
  import CHiredis
  import StagecoachCore

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A connection to the server, over hiredis. Its calls block until a deadline at most.
  ///
  /// After an error it must not be used again: the reply of another command could arrive.
  ///
  /// hiredis' own timeouts bound each read rather than a command, and its writes raise SIGPIPE. It is used without
  /// blocking, and this type waits and sends.
  final class RedisConnection {
    /// The most bytes of a reply: more than 64 heads, or a content, of the largest size.
    static let maxReplySize = 8 << 20

    private let server: RedisServer
    private let context: UnsafeMutablePointer<redisContext>
    private let table = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)

    /// Connects and logs in.
    init(to server: RedisServer, until deadline: ContinuousClock.Instant) throws(RedisFailure) {
      self.server = server
      if case .unixSocket(let path) = server.address {
        // hiredis would cut it.
        guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
          table.deallocate()
          throw server.failure("the path of its socket is too long")
        }
      }
      let context =
        switch server.address {
        case .host(let host, let port): redisConnectNonBlock(host, Int32(clamping: port))
        case .unixSocket(let path): redisConnectUnixNonBlock(path)
        }
      guard let context else {
        table.deallocate()
        throw server.failure("there is no memory for a connection")
      }
      self.context = context
      guard context.pointee.err == 0 else { throw server.failure(Self.reason(context.pointee)) }
      stagecoach_redis_prepare(context, table)
      try wait(for: POLLOUT, until: deadline)
      let error = stagecoach_redis_connect_error(context)
      guard error == 0 else { throw server.failure(String(cString: strerror(error))) }
      for command in server.greeting {
        guard case .failure(let code) = try run(command, until: deadline) else { continue }
        throw server.failure("it refused the password or the database (\(code))")
      }
    }

    deinit {
      redisFree(context)
      table.deallocate()
    }

    /// Whether the connection is open and without unexpected bytes from the server.
    var isUsable: Bool {
      var descriptor = pollfd(fd: context.pointee.fd, events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, 0) == 0
    }

    /// Sends a command and waits for its reply.
    ///
    /// - Throws: ``RedisFailure/unreachable(server:reason:)`` if there is none, or more than one.
    func run(
      _ command: RedisCommand,
      until deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisReply {
      try send(command.encoded, until: deadline)
      while true {
        if let reply = try receivedReply() {
          guard context.pointee.reader.pointee.pos == context.pointee.reader.pointee.len else {
            throw server.failure("it sent more than one reply to a command")
          }
          return reply
        }
        try wait(for: POLLIN, until: deadline)
        guard redisBufferRead(context) == REDIS_OK else { throw server.failure(Self.reason(context.pointee)) }
        guard context.pointee.reader.pointee.len <= Self.maxReplySize else {
          throw server.failure("its reply is larger than \(Self.maxReplySize) bytes")
        }
      }
    }

    private func receivedReply() throws(RedisFailure) -> RedisReply? {
      var pointer: UnsafeMutableRawPointer?
      guard redisGetReplyFromReader(context, &pointer) == REDIS_OK else {
        throw server.failure("it does not speak the protocol of Redis")
      }
      guard let pointer else { return nil }
      defer { freeReplyObject(pointer) }
      return RedisReply(pointer.assumingMemoryBound(to: redisReply.self).pointee)
    }

    private func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(RedisFailure) {
      var position = 0
      while position < bytes.count {
        let sent = bytes.withUnsafeBytes { buffer in
          let rest = UnsafeRawBufferPointer(rebasing: buffer[position...])
          return stagecoach_redis_send(context, rest.baseAddress, rest.count)
        }
        switch sent {
        case 1...: position += sent
        case -Int(EINTR): continue
        case 0, -Int(EAGAIN), -Int(EWOULDBLOCK): try wait(for: POLLOUT, until: deadline)
        default: throw server.failure(String(cString: strerror(Int32(-sent))))
        }
      }
    }

    private func wait(
      for events: Int32,
      until deadline: ContinuousClock.Instant
    ) throws(RedisFailure) {
      while true {
        let rest = ContinuousClock.now.duration(to: deadline)
        // Rounded up, so that it does not wake early and spin.
        let milliseconds =
          rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000 + 1
        guard rest > .zero else { throw server.failure("it did not answer in time") }
        var descriptor = pollfd(fd: context.pointee.fd, events: Int16(events), revents: 0)
        let count = poll(&descriptor, 1, Int32(clamping: milliseconds))
        if count > 0 { return }
        guard count == 0 || errno == EINTR else { throw server.failure(String(cString: strerror(errno))) }
      }
    }

    /// The text of a failure of the connection, which holds nothing that the server sent.
    private static func reason(_ context: redisContext) -> String {
      switch context.err {
      case REDIS_ERR_EOF: "it closed the connection"
      default:
        withUnsafeBytes(of: context.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      }
    }
  }
#endif
