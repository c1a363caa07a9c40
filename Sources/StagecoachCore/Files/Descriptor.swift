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
  /// - Parameter isCancelled: Called every tenth of a second while the reader of the descriptor takes no bytes.
  /// - Returns: The system's error number, `nil` on success; `ECANCELED` if cancelled.
  package static func write(
    _ bytes: Bytes,
    to descriptor: Int32,
    isCancelled: () -> Bool = { false }
  ) -> Int32? {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let written = systemWrite(descriptor, piece.baseAddress, piece.count)
        if written > 0 {
          rest = rest.dropFirst(written)
          continue
        }
        // A call that writes nothing and reports no error would be repeated for ever.
        guard written < 0 else { return EIO }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          // Another program that shares the terminal or pipe may have made it non-blocking.
          guard !isCancelled() else { return ECANCELED }
          var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = systemPoll(&poll, 1, 100)
        case let code: return code
        }
      }
      return nil
    }
  }

  /// Runs a call that may write to a pipe without a reader. The write then fails with an error instead of ending the
  /// process by a signal.
  static func withoutBrokenPipeSignal<Result>(_ body: () -> Result) -> Result {
    var signals = sigset_t()
    var pending = sigset_t()
    var previous = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &signals, &previous)
    let result = body()
    sigpending(&pending)
    if !wasPending, sigismember(&pending, SIGPIPE) == 1 {
      var number: Int32 = 0
      sigwait(&signals, &number)
    }
    pthread_sigmask(SIG_SETMASK, &previous, nil)
    return result
  }
}

extension ExchangeError {
  /// Creates the error of a failed call on a local file from the system's error number.
  package static func file(_ what: String, _ path: String, _ code: Int32) -> ExchangeError {
    ExchangeError(.file, "\(what) \(path): \(String(cString: strerror(code)))")
  }

  /// Creates the error of a file that is not to be replaced.
  package static func fileExists(_ path: String) -> ExchangeError {
    ExchangeError(
      .file,
      "\(path) exists",
      advice: "give another name, or replace it with existing: .overwrite"
    )
  }
}

// Separate names, because members of the same names hide the functions of the C library.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

private func systemPoll(_ polls: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: Int32) -> Int32 {
  poll(polls, count, time)
}
