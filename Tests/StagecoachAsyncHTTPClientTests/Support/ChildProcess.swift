#if Tool
  import Foundation
  import Testing

  /// A program that runs beside a test.
  ///
  /// Foundation's Process waits in a run loop, which would hold a thread of the tests.
  struct ChildProcess {
    private let id: pid_t

    /// Starts a program in a process group of its own, so that its workers end with it.
    init(_ arguments: [String]) throws {
      #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
      #else
        var attributes = posix_spawnattr_t()
      #endif
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
      var id = pid_t()
      let pointers = arguments.map { strdup($0) } + [nil]
      defer { for pointer in pointers { free(pointer) } }
      try #require(posix_spawn(&id, arguments[0], nil, &attributes, pointers, environ) == 0)
      self.id = id
    }

    func stop() {
      // It inherits the signal mask of the thread that started it, where SIGTERM is blocked.
      kill(-id, SIGKILL)
      var status: Int32 = 0
      waitpid(id, &status, 0)
    }
  }
#endif
