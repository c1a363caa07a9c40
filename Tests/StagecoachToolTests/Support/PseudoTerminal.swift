#if Tool
  import Foundation

  /// A terminal that a program writes to and a test reads.
  struct PseudoTerminal {
    /// The program's end.
    let slave: FileHandle
    private let output: AsyncStream<Data>

    init() throws {
      var (master, descriptor): (Int32, Int32) = (-1, -1)
      // What is written is to be read as it is, without carriage returns that nobody wrote.
      var settings = termios()
      cfmakeraw(&settings)
      guard openpty(&master, &descriptor, nil, &settings, nil) == 0 else { throw POSIXError(.ENXIO) }
      // No other program that a test starts may keep it open.
      for end in [master, descriptor] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      slave = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      let (output, continuation) = AsyncStream.makeStream(of: Data.self)
      self.output = output
      // From the start, since a terminal that nobody reads stops who writes.
      Thread.detachNewThread { [master] in
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
          let count = read(master, &buffer, buffer.count)
          if count < 0, errno == EINTR { continue }
          // An error is the end of a terminal: nobody has it open any more.
          guard count > 0 else { break }
          continuation.yield(Data(buffer[..<count]))
        }
        close(master)
        continuation.finish()
      }
    }

    /// All that was written, once the program has closed its end.
    func shown() async -> Data {
      await output.reduce(into: Data()) { $0 += $1 }
    }
  }
#endif
