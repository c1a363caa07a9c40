#if Tool
  import Stagecoach

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A destination for the bytes of a body.
  protocol Sink: Sendable {
    /// Writes all bytes, at the pace of the reader.
    ///
    /// - Throws: ``BrokenPipe``; `ExchangeError` of kind `file`.
    func write(_ bytes: Bytes) async throws
  }

  extension Sink {
    /// Writes a text in UTF-8.
    ///
    /// - Parameter endsLine: Whether a text without a line break at its end gets one.
    func write(_ text: String, endsLine: Bool) async throws {
      try await write(Bytes(endsLine && !text.hasSuffix("\n") ? text + "\n" : text))
    }
  }

  extension FileWriter: Sink {}

  /// Standard output: the body, and nothing else.
  struct StandardOutput: Sink {
    /// Whether a person is looking, at a terminal that can be steered.
    static let isTerminal = Terminal.isBehind(STDOUT_FILENO)

    private let queue = BlockingQueue(label: "stagecoach.output")

    func write(_ bytes: Bytes) async throws {
      try await queue.run {
        switch Descriptor.write(bytes, to: STDOUT_FILENO) {
        case nil: break
        case EPIPE: throw BrokenPipe()
        case let code?: throw ExchangeError.file("cannot write", "standard output", code)
        }
      }
    }
  }

  /// Standard output for a command whose exit code is a verdict: without a reader it goes on to that, and is silent.
  struct VerdictOutput: Sendable {
    private let output = StandardOutput()

    /// Writes a text in UTF-8 that ends its line.
    ///
    /// - Throws: `ExchangeError` of kind `file`.
    func write(_ text: String) async throws {
      do {
        try await output.write(text, endsLine: true)
      } catch is BrokenPipe {
        // Not reported.
      }
    }
  }

  extension VerdictOutput {
    /// Writes a line. Control characters, which names in files may have, become spaces.
    func write(line: String) async throws { try await write(Format.oneLine(line)) }
  }

  /// The reader of standard output closed it. This is not an error.
  struct BrokenPipe: Error {}

  private enum Terminal {
    /// Whether it shows colours and moves its cursor: `dumb` is what calls itself unable to.
    static func isBehind(_ descriptor: Int32) -> Bool {
      isatty(descriptor) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
    }
  }

  /// Standard error: everything that is not the body.
  enum StandardError {
    /// Whether a person is looking, at a terminal that can be steered.
    static let isTerminal = Terminal.isBehind(STDERR_FILENO)

    /// Writes a short text. Errors are ignored, because they cannot be reported.
    static func write(_ text: String) {
      _ = Descriptor.write(Bytes(text), to: STDERR_FILENO)
    }
  }
#endif
