import Foundation

/// A program that runs beside a test.
///
/// Foundation's Process waits in a run loop, which would hold a thread of the tests.
package struct ChildProcess {
  private let id: pid_t

  /// Starts a program in a process group of its own, so that its workers end with it.
  package init(_ arguments: [String]) throws {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var flags = POSIX_SPAWN_SETPGROUP
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // It writes logs of its own. The output of the tests must neither make it wait nor be kept open by it.
    for stream in Int32(0)...2 {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    #if !canImport(Darwin)
      // Whoever reads a pipe of another test to its end would wait until this program ends.
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      for descriptor in 3..<Int32(clamping: min(limit.rlim_cur, 4096)) {
        posix_spawn_file_actions_addclose(&actions, descriptor)
      }
    #endif
    var id = pid_t()
    let pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let status = posix_spawn(&id, arguments[0], &actions, &attributes, pointers, environ)
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EINVAL) }
    self.id = id
  }

  /// Suspends the program until ``resume()`` or ``stop()``.
  package func pause() { kill(-id, SIGSTOP) }

  package func resume() { kill(-id, SIGCONT) }

  package func stop() {
    // It inherits the signal mask of the thread that started it, where SIGTERM is blocked.
    kill(-id, SIGKILL)
    var status: Int32 = 0
    waitpid(id, &status, 0)
  }
}
