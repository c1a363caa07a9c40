import Foundation

/// Keeps all processors awake, by processes that run where nothing else wants to.
///
/// To wake a thread on a processor that sleeps takes longer than most of what a client does for a small exchange, above
/// all on a virtual machine (14 µs were measured). With one request in flight, each turn from thread to thread and to the
/// server costs that or not, as the threads happen to be spread, and that would be what is measured.
final class AwakeProcessors {
  private var processes: [(Process, Pipe)] = []

  init() throws {
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = ["--spin"]
      let input = Pipe()
      process.standardInput = input
      try process.run()
      processes.append((process, input))
    }
  }

  func stop() {
    for (process, input) in processes {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
  }

  /// The other side: runs until standard input ends, at the lowest priority that there is.
  static func spin() throws -> Never {
    #if os(Linux)
      // SCHED_IDLE, which glibc declares to GNU's C only.
      let idle: Int32 = 5
      var parameter = sched_param()
      guard sched_setscheduler(0, idle, &parameter) == 0 else { throw CocoaError(.featureUnsupported) }
    #else
      setpriority(PRIO_PROCESS, 0, PRIO_MAX)
    #endif
    Thread.detachNewThread {
      while !FileHandle.standardInput.availableData.isEmpty {}
      exit(0)
    }
    while true {}
  }
}
