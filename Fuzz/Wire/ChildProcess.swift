#if Tool && CURL
  import Foundation

  /// A child under supervision: it is seen how it ends, and it is ended where it does not go on.
  struct ChildProcess {
    /// How it ended.
    enum End: Equatable {
      case finished
      /// By a signal, or with a status that is not 0.
      case crashed(String)
      /// It was ended, since this did not come to its end.
      case hung(String)

      /// What happened; nil for nothing.
      var what: String? {
        switch self {
        case .finished: nil
        case .crashed(let how): "crash: \(how)"
        case .hung(let name): "hang: input \(name) did not end within \(ChildProcess.patience)"
        }
      }
    }

    /// How long an input may take: with its redirects far more than its timeouts add up to.
    static let patience = Duration.seconds(60)

    /// How it ended.
    private(set) var end = End.finished
    /// What it told.
    private(set) var journal: JournalReader
    /// The start of what it wrote to its standard error.
    private(set) var errors = ""

    /// Runs a child to its end.
    ///
    /// - Parameter arguments: Those of the command `child`, but for its journal.
    init(_ arguments: [String]) async throws {
      let base = FileManager.default.temporaryDirectory.appendingPathComponent(
        "WireFuzz-\(UUID().uuidString)"
      )
      let (told, complaints) = (base.appendingPathExtension("journal"), base.appendingPathExtension("errors"))
      for file in [told, complaints] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
      defer { for file in [told, complaints] { try? FileManager.default.removeItem(at: file) } }
      journal = try JournalReader(path: told.path)

      let process = Process()
      process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
      process.arguments = ["child"] + arguments + ["--journal", told.path]
      var environment = ProcessInfo.processInfo.environment
      // Memory that is freed is overwritten: who uses it still does not find what was there.
      environment["MALLOC_PERTURB_"] = "165"
      environment["SWIFT_BACKTRACE"] = "enable=no"
      process.environment = environment
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = try FileHandle(forWritingTo: complaints)
      try process.run()

      var hung: String?
      while process.isRunning {
        try await Task.sleep(for: .milliseconds(50))
        try journal.read()
        guard hung == nil else { continue }
        hung = journal.open.first { .now > $0.value + Self.patience }?.key
        if hung == nil, .now > journal.latest + Self.patience * 2 { hung = "none" }
        if hung != nil { kill(process.processIdentifier, SIGKILL) }
      }
      try journal.read()
      if let hung {
        end = .hung(hung)
      } else if process.terminationReason == .uncaughtSignal {
        end = .crashed("signal \(process.terminationStatus)")
      } else if process.terminationStatus != 0 {
        end = .crashed("status \(process.terminationStatus)")
      }
      errors = String(decoding: try Data(contentsOf: complaints).prefix(2048), as: UTF8.self)
    }
  }
#endif
