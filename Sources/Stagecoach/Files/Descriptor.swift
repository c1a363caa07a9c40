#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Blocking calls on file descriptors.
package enum Descriptor {
  /// Writes all the bytes.
  ///
  /// - Returns: The error number of the system, nil if there is none.
  package static func write(_ bytes: Bytes, to descriptor: Int32) -> Int32? {
    bytes.withUnsafeBytes { buffer in
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
        case let code: return code
        }
      }
      return nil
    }
  }

  /// Another program may have made the terminal or pipe that we share with it non-blocking.
  private static func waitUntilWritable(_ descriptor: Int32) {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = systemPoll(&poll, 1, -1)
  }
}

extension ExchangeError {
  /// A call on a local file that failed with an error number of the system.
  package static func file(_ what: String, _ path: String, _ code: Int32) -> ExchangeError {
    ExchangeError(.file, "\(what) \(path): \(String(cString: strerror(code)))")
  }
}

// Under names of their own, since members of the same names hide the functions of the C library.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

private func systemPoll(_ polls: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: Int32) -> Int32 {
  poll(polls, count, time)
}
