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

    private let process = Process()
    private let scratch: ScratchFolder
    private let ended: AsyncStream<Void>

    /// Starts the tool.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
      scratch = try ScratchFolder()
      process.executableURL = try Self.executable
      process.arguments = arguments
      var variables = ProcessInfo.processInfo.environment
      variables["SWIFT_BACKTRACE"] = "enable=no"
      variables["STAGECOACH_ORIGIN_FAULT"] = nil
      for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        variables[name] = nil
        variables[name.uppercased()] = nil
      }
      process.environment = variables.merging(environment) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try scratch.create("output")
      process.standardError = try scratch.create("errors")
      let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
      self.ended = ended
      process.terminationHandler = { _ in continuation.finish() }
      try process.run()
    }

    /// Runs the tool to its end.
    static func run(
      _ arguments: String...,
      environment: [String: String] = [:]
    ) async throws -> Outcome {
      try await ToolProcess(arguments, environment: environment).outcome()
    }

    func interrupt() {
      kill(process.processIdentifier, SIGINT)
    }

    /// Waits for the end.
    func outcome() async throws -> Outcome {
      for await _ in ended {}
      return Outcome(
        status: process.terminationReason == .exit ? process.terminationStatus : nil,
        output: try Data(contentsOf: scratch.path("output")),
        errors: String(decoding: try Data(contentsOf: scratch.path("errors")), as: UTF8.self)
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
