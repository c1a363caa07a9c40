#if CURL
  import Stagecoach
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
      var isSleeping = false
      var isStarted = false
      /// Whether the thread is to end, or has ended.
      var isClosed = false
      var hasEnded = false
      var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let ends: [Int32]

    init() {
      var ends: [Int32] = [-1, -1]
      if pipe(&ends) == 0 {
        for end in ends {
          _ = fcntl(end, F_SETFD, FD_CLOEXEC)
          _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
      }
      self.ends = ends
    }

    deinit {
      for end in ends where end >= 0 { close(end) }
    }

    /// Becomes readable when the thread is woken; negative if the system gave no pipe.
    var descriptor: Int32 { ends[0] }

    /// What became of a command.
    enum Receipt {
      case taken
      /// It is the first one: somebody has to start the thread.
      case startThread
      case refused
    }

    /// Hands over a command.
    func post(_ command: Command) -> Receipt {
      let (receipt, wakes) = state.withLock { state -> (Receipt, Bool) in
        guard !state.isClosed else { return (.refused, false) }
        state.commands.append(command)
        let wakes = state.isSleeping
        state.isSleeping = false
        guard state.isStarted else {
          state.isStarted = true
          return (.startThread, false)
        }
        return (.taken, wakes)
      }
      if wakes { wake() }
      return receipt
    }

    /// Tells the thread to end.
    func shut() {
      let wakes = state.withLock { state in
        state.isClosed = true
        if !state.isStarted { state.hasEnded = true }
        defer { state.isSleeping = false }
        return state.isSleeping
      }
      if wakes { wake() }
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

    private func wake() {
      var byte: UInt8 = 0
      _ = write(ends[1], &byte, 1)
    }

    // MARK: The thread

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

    /// Reads what woke the thread.
    func drain() {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(ends[0], &bytes, bytes.count) > 0 {}
    }

    /// The thread has let go of everything, or could not be started.
    ///
    /// - Returns: The commands that it did not get to.
    func markEnded() -> [Command] {
      let (waiting, commands) = state.withLock { state in
        state.isClosed = true
        state.hasEnded = true
        defer { (state.waiting, state.commands) = ([], []) }
        return (state.waiting, state.commands)
      }
      for continuation in waiting { continuation.resume() }
      return commands
    }
  }
#endif
