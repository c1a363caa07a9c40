#if CURL
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Starts a thread with all signals blocked: writes of TLS libraries to a closed connection would raise SIGPIPE.
  enum EngineThread {
    private final class Work {
      let run: @Sendable () -> Void

      init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
      }
    }

    /// Runs a closure on a new thread.
    ///
    /// - Returns: Whether the system could create the thread.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
      let work = Unmanaged.passRetained(Work(run))
      #if canImport(Darwin)
        var thread: pthread_t?
        let result = pthread_create(&thread, nil, { EngineThread.enter($0) }, work.toOpaque())
        if let thread { pthread_detach(thread) }
      #elseif canImport(Musl)
        // The thread type is an opaque pointer in Musl.
        var thread: pthread_t?
        let result = pthread_create(
          &thread,
          nil,
          { argument in argument.flatMap { EngineThread.enter($0) } },
          work.toOpaque()
        )
        if let thread { pthread_detach(thread) }
      #else
        var thread = pthread_t()
        let result = pthread_create(
          &thread,
          nil,
          { argument in argument.flatMap { EngineThread.enter($0) } },
          work.toOpaque()
        )
        if result == 0 { pthread_detach(thread) }
      #endif
      if result != 0 { work.release() }
      return result == 0
    }

    private static func enter(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      var signals = sigset_t()
      sigfillset(&signals)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }
  }
#endif
