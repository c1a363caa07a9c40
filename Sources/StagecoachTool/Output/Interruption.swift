#if Tool
  import Dispatch
  import Stagecoach
  import Synchronization

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Cancels a task on SIGINT, SIGTERM and SIGHUP, so that it can clean up.
  ///
  /// If the process does not end within two seconds, or before a second signal, it is terminated: a write to a pipe
  /// that is not being read cannot be cancelled.
  final class Interruption: Sendable {
    /// Set by a command that writes what it has before it ends: it has half a minute in place of two seconds.
    static let savesData = Atomic(false)

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    private struct State {
      var signal: Int32?
      var task: Task<ExitStatus, Never>?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "stagecoach.signals")

    /// Runs work until it ends or a signal ends it.
    ///
    /// - Returns: What the work returned; 128 and the number of the signal if that kept it from succeeding.
    func run(_ work: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
      // A reader that went away is an error of the write, and not the end of the process.
      signal(SIGPIPE, SIG_IGN)
      let sources = Self.signals.compactMap { number -> (any DispatchSourceSignal)? in
        let previous = signal(number, SIG_IGN)
        // Who starts us with nohup wants us to survive the terminal.
        let wasIgnored = unsafeBitCast(previous, to: UInt.self) == unsafeBitCast(SIG_IGN, to: UInt.self)
        guard number != SIGHUP || !wasIgnored else { return nil }
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { [self] in receive(number) }
        source.resume()
        return source
      }
      defer { for source in sources { source.cancel() } }
      let task = Task { await work() }
      let early = state.withLock { state in
        state.task = task
        return state.signal != nil
      }
      if early { task.cancel() }
      let status = await task.value
      guard status != .success else { return status }
      return state.withLock { $0.signal.map { .interrupted(by: $0) } ?? status }
    }

    private func receive(_ number: Int32) {
      let (isFirst, task) = state.withLock { state in
        let isFirst = state.signal == nil
        state.signal = state.signal ?? number
        return (isFirst, state.task)
      }
      guard isFirst else { Self.force(number) }
      task?.cancel()
      let patience = Self.savesData.load(ordering: .relaxed) ? 30.0 : 2
      queue.asyncAfter(deadline: .now() + patience) { Self.force(number) }
    }

    private static func force(_ number: Int32) -> Never {
      PartialFiles.removeAll()
      _exit(ExitStatus.interrupted(by: number).code)
    }
  }
#endif
