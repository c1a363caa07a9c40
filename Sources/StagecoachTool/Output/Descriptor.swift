#if Tool
  import Stagecoach

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Blocking calls on file descriptors.
  enum Descriptor {
    /// Writes all the bytes.
    ///
    /// - Parameter path: The name for errors; nil for standard output, whose reader may go away.
    /// - Throws: ``BrokenPipe`` for standard output; `ExchangeError` of kind `file`.
    static func write(_ bytes: Bytes, to descriptor: Int32, path: String? = nil) throws {
      try bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
          let piece = UnsafeRawBufferPointer(rebasing: rest)
          let written = systemWrite(descriptor, piece.baseAddress, piece.count)
          if written >= 0 {
            rest = rest.dropFirst(written)
            continue
          }
          switch errno {
          case EINTR: continue
          case EAGAIN: waitUntilWritable(descriptor)
          case EPIPE where path == nil: throw BrokenPipe()
          case let code: throw ExchangeError.file("cannot write", path ?? "standard output", code)
          }
        }
      }
    }

    /// Another program may have made the terminal or pipe that we share with it non-blocking.
    private static func waitUntilWritable(_ descriptor: Int32) {
      var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = systemPoll(&poll, 1, -1)
    }

    /// Reads a whole file.
    ///
    /// - Parameter limit: The most bytes to accept.
    /// - Throws: `ExchangeError` of kind `file`.
    static func read(_ path: String, limit: Int) throws -> [UInt8] {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw ExchangeError.file("cannot open", path, errno) }
      defer { close(descriptor) }
      var content: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      while true {
        let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw ExchangeError.file("cannot read", path, errno) }
        guard count > 0 else { return content }
        guard content.count + count <= limit else {
          throw ExchangeError(.file, "\(path) has more than \(limit) bytes")
        }
        content += buffer[..<count]
      }
    }
  }

  extension ExchangeError {
    /// A call on a local file that failed with an error number of the system.
    static func file(_ what: String, _ path: String, _ code: Int32) -> ExchangeError {
      ExchangeError(.file, "\(what) \(path): \(String(cString: strerror(code)))")
    }
  }

  // Under names of their own, since members of the same names hide the functions of the C library.
  private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
  }

  private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
  }

  private func systemPoll(_ polls: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: Int32) -> Int32 {
    poll(polls, count, time)
  }
#endif
