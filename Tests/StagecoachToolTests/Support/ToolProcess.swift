#if Tool
  import Foundation

  /// The built `stagecoach` in a process of its own.
  struct ToolProcess {
    /// How a run ended and what it wrote.
    struct Outcome: CustomStringConvertible {
      /// The exit code; nil if a signal ended the process.
      let status: Int32?
      let output: Data
      let errors: String

      var text: String { String(decoding: output, as: UTF8.self) }
      var description: String { "status \(status.map(String.init) ?? "none")\n\(text)\n\(errors)" }
    }

    /// A stream that can be a terminal, as if a person were looking.
    enum Stream { case output, errors }

    private let process = Process()
    private let scratch: ScratchFolder
    private let ended: AsyncStream<Void>
    private let terminal: (stream: Stream, PseudoTerminal)?

    /// Starts the tool.
    ///
    /// - Parameters:
    ///   - terminal: The stream that is a terminal; the others are files.
    ///   - input: What standard input is instead of the null device; it is closed here once the tool has it.
    ///   - output: What standard output is instead of a file; it is closed here once the tool has it.
    ///   - folder: The current folder of the tool; that of the tests by default.
    ///   - largestFile: The size in KiB that no file of the tool may exceed, as if the disk were full then.
    init(
      _ arguments: [String],
      environment: [String: String] = [:],
      terminal: Stream? = nil,
      input: FileHandle? = nil,
      output: FileHandle? = nil,
      folder: URL? = nil,
      largestFile: Int? = nil
    ) throws {
      scratch = try ScratchFolder()
      self.terminal = try terminal.map { ($0, try PseudoTerminal()) }
      process.executableURL = try Self.executable
      process.arguments = arguments
      if let largestFile {
        let script = "trap '' XFSZ; ulimit -f \(largestFile); exec \"$0\" \"$@\""
        process.arguments = ["-c", script, try Self.executable.path] + arguments
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
      }
      if let folder { process.currentDirectoryURL = folder }
      var variables = ProcessInfo.processInfo.environment
      variables["SWIFT_BACKTRACE"] = "enable=no"
      for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        variables[name] = nil
        variables[name.uppercased()] = nil
      }
      variables["TERM"] = "xterm"
      variables["NO_COLOR"] = nil
      process.environment = variables.merging(environment) { $1 }
      process.standardInput = input ?? FileHandle.nullDevice
      let files = (output: try scratch.create("output"), errors: try scratch.create("errors"))
      process.standardOutput = terminal == .output ? self.terminal?.1.slave : output ?? files.output
      process.standardError = terminal == .errors ? self.terminal?.1.slave : files.errors
      let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
      self.ended = ended
      process.terminationHandler = { _ in continuation.finish() }
      try process.run()
      // The last one that has it open is the tool.
      try self.terminal?.1.slave.close()
      try input?.close()
      try output?.close()
    }

    /// Runs the tool in a shell whose reader goes away after some bytes.
    ///
    /// - Returns: What it wrote to standard error, and a line with its exit code.
    static func runWithoutReader(_ arguments: String) async throws -> String {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      let command =
        "{ '\(try executable.path)' \(arguments); echo \"status $?\" >&2; } | head -c 5 >/dev/null"
      process.arguments = ["-c", command]
      let scratch = try ScratchFolder()
      process.standardError = try scratch.create("errors")
      // No thread of the tests may be held by a wait for the process.
      let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
      process.terminationHandler = { _ in continuation.finish() }
      try process.run()
      for await _ in ended {}
      return String(decoding: try Data(contentsOf: scratch.path("errors")), as: UTF8.self)
    }

    /// Runs the tool to its end.
    static func run(
      _ arguments: String...,
      environment: [String: String] = [:],
      terminal: Stream? = nil
    ) async throws -> Outcome {
      try await ToolProcess(arguments, environment: environment, terminal: terminal).outcome()
    }

    var id: pid_t { process.processIdentifier }

    func interrupt() { send(SIGINT) }

    func send(_ signal: Int32) { kill(id, signal) }

    /// Waits for a server that says where it listens, and returns its URL.
    func listening() async throws -> String {
      let limit = ContinuousClock.now + .seconds(30)
      while ContinuousClock.now < limit {
        let text = String(decoding: try Data(contentsOf: scratch.path("output")), as: UTF8.self)
        if let end = text.firstIndex(of: "\n") {
          guard text.hasPrefix("listening on ") else { throw CocoaError(.fileReadCorruptFile) }
          return String(text[..<end].dropFirst("listening on ".count))
        }
        try await Task.sleep(for: .milliseconds(10))
      }
      throw CocoaError(.fileReadUnknown)
    }

    /// Waits for the end.
    func outcome() async throws -> Outcome {
      let shown = await terminal?.1.shown()
      for await _ in ended {}
      func written(_ stream: Stream, _ file: String) throws -> Data {
        if let shown, terminal?.stream == stream { return shown }
        return try Data(contentsOf: scratch.path(file))
      }
      return Outcome(
        status: process.terminationReason == .exit ? process.terminationStatus : nil,
        output: try written(.output, "output"),
        errors: String(decoding: try written(.errors, "errors"), as: UTF8.self)
      )
    }

    /// The executable lies beside the test bundle.
    static var executable: URL {
      get throws {
        #if os(Linux)
          var folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        #else
          var folder =
            Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? URL(filePath: "/")
        #endif
        while folder.path != "/" {
          let candidate = folder.appending(path: "stagecoach")
          var isFolder: ObjCBool = false
          if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder),
            !isFolder.boolValue
          {
            return candidate
          }
          folder.deleteLastPathComponent()
        }
        throw CocoaError(.fileNoSuchFile)
      }
    }
  }
#endif
