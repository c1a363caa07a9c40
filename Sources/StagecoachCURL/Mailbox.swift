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

  /// A command from a task to the engine's thread.
  enum Command {
    /// Sends the request of a transfer.
    case start(Transfer)
    /// Resumes receiving, because there is room again.
    case receive(Transfer)
    /// Resumes sending, because there are more chunks.
    case send(Transfer)
    /// Drops a transfer that the tasks have ended.
    case abandon(Transfer)
    /// Closes connections that were idle for too long.
    case sweep
    /// Runs a job of a task.
    case run(UnownedJob)
  }

  /// Passes commands from tasks to the engine's thread, which sleeps while there are none.
  final class Mailbox: Sendable {
    private struct State {
      var commands: [Command] = []
      /// The ends of the pipe that wakes the thread, while it is open.
      var ends: [Int32] = []
      var isSleeping = false
      var isStarted = false
      /// Whether the thread should end, or has ended.
      var isClosed = false
      var hasEnded = false
      var waiting: [Waiter<Void>] = []
    }

    private let state = Mutex(State())

    deinit {
      state.withLock { state in for end in state.ends { close(end) } }
    }

    /// The result of posting a command.
    enum Receipt {
      case taken
      /// It is the first command: the caller must start the thread.
      case startThread
      case refused
    }

    /// Posts a command.
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

    /// Makes the thread end.
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
      let waiter = state.withLock { state -> Waiter<Void>? in
        guard !state.hasEnded else { return nil }
        let waiter = Waiter<Void>()
        state.waiting.append(waiter)
        return waiter
      }
      _ = await waiter?.outcome()
    }

    /// Returns the descriptor that wakes the thread, if it sleeps.
    private static func wake(_ state: inout State) -> Int32? {
      defer { state.isSleeping = false }
      return state.isSleeping ? state.ends.last : nil
    }

    private static func ring(_ descriptor: Int32) {
      var byte: UInt8 = 0
      _ = write(descriptor, &byte, 1)
    }

    // MARK: The thread

    /// Creates the pipe that wakes the thread.
    ///
    /// - Returns: The descriptor that becomes readable; `nil` if the system cannot create it.
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

    /// Moves the posted commands into an empty array; returns false once the thread must end.
    func take(_ commands: inout [Command]) -> Bool {
      state.withLock { state in
        swap(&commands, &state.commands)
        return !state.isClosed
      }
    }

    /// Whether there are no commands. If so, later posts wake the thread.
    func prepareToSleep() -> Bool {
      state.withLock { state in
        guard state.commands.isEmpty, !state.isClosed else { return false }
        state.isSleeping = true
        return true
      }
    }

    /// Called when the thread has woken up, for any reason.
    func awake() {
      state.withLock { $0.isSleeping = false }
    }

    /// Called when the thread has released everything, or could not start. The next command then starts another thread.
    ///
    /// - Parameter isStarted: Whether the thread ran at all.
    /// - Returns: The commands that it did not process.
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
      for waiter in waiting { waiter.end() }
      return commands
    }
  }
#endif
