#if CURL
  import StagecoachCore
  import Synchronization

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// What tasks ask of the engine's thread.
  enum Command {
    /// Send the request of a transfer.
    case start(Transfer)
    /// Go on receiving: there is room again.
    case receive(Transfer)
    /// Go on sending: there are more chunks.
    case send(Transfer)
    /// Let go of a transfer that ended here.
    case abandon(Transfer)
    /// Close connections that were idle for too long.
    case sweep
    /// Run a part of a task.
    case run(UnownedJob)
  }

  /// How tasks hand commands to the engine's thread, and how that sleeps while there are none.
  final class Mailbox: Sendable {
    private struct State {
      var commands: [Command] = []
      /// The ends of the pipe that wakes the thread, while there is one.
      var ends: [Int32] = []
      var isSleeping = false
      var isStarted = false
      /// Whether the thread is to end, or has ended.
      var isClosed = false
      var hasEnded = false
      var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    deinit {
      state.withLock { state in for end in state.ends { close(end) } }
    }

    /// What became of a command.
    enum Receipt {
      case taken
      /// It is the first one: somebody has to start the thread.
      case startThread
      case refused
    }

    /// Hands over a command.
    func post(_ command: Command) -> Receipt {
      let (receipt, woken) = state.withLock { state -> (Receipt, Int32?) in
        guard !state.isClosed else { return (.refused, nil) }
        state.commands.append(command)
        guard state.isStarted else {
          state.isStarted = true
          return (.startThread, nil)
        }
        return (.taken, Self.wake(&state))
      }
      if let woken { Self.ring(woken) }
      return receipt
    }

    /// Tells the thread to end.
    func shut() {
      let woken = state.withLock { state in
        state.isClosed = true
        if !state.isStarted { state.hasEnded = true }
        return Self.wake(&state)
      }
      if let woken { Self.ring(woken) }
    }

    /// Waits until the thread has ended.
    func end() async {
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          if !state.hasEnded { state.waiting.append(continuation) }
          return state.hasEnded
        }
        if hasEnded { continuation.resume() }
      }
    }

    /// Where to ring, if the thread sleeps.
    private static func wake(_ state: inout State) -> Int32? {
      defer { state.isSleeping = false }
      return state.isSleeping ? state.ends.last : nil
    }

    private static func ring(_ descriptor: Int32) {
      var byte: UInt8 = 0
      _ = write(descriptor, &byte, 1)
    }

    // MARK: The thread

    /// Makes what wakes the thread.
    ///
    /// - Returns: A descriptor that becomes readable then; nil if the system gives none.
    func open() -> Int32? {
      state.withLock { state in
        if let end = state.ends.first { return end }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
          _ = fcntl(end, F_SETFD, FD_CLOEXEC)
          _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        state.ends = ends
        return ends[0]
      }
    }

    /// Takes the commands that are there, into an empty array; false once the thread is to end.
    func take(_ commands: inout [Command]) -> Bool {
      state.withLock { state in
        swap(&commands, &state.commands)
        return !state.isClosed
      }
    }

    /// Whether there is nothing to do: whoever posts from now on wakes the thread.
    func prepareToSleep() -> Bool {
      state.withLock { state in
        guard state.commands.isEmpty, !state.isClosed else { return false }
        state.isSleeping = true
        return true
      }
    }

    /// The thread is awake, for whatever reason.
    func awake() {
      state.withLock { $0.isSleeping = false }
    }

    /// The thread has let go of everything, or could not be started: then the next command starts another.
    ///
    /// - Parameter isStarted: Whether it worked at all.
    /// - Returns: The commands that it did not get to.
    func markEnded(isStarted: Bool) -> [Command] {
      let (waiting, commands) = state.withLock { state in
        state.isStarted = isStarted
        if isStarted { state.isClosed = true }
        state.hasEnded = state.isClosed
        defer {
          state.commands = []
          if state.hasEnded { state.waiting = [] }
        }
        return (state.hasEnded ? state.waiting : [], state.commands)
      }
      for continuation in waiting { continuation.resume() }
      return commands
    }
  }
#endif
