#if Tool
  import ArgumentParser
  import StagecoachCore
  import StagecoachFixtures

  /// `stagecoach contract check-case`: judges published verdict cases of Pact.
  struct CheckCaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check-case",
      abstract: "Judge verdict cases of the Pact specification.",
      discussion: """
        The path of a case contains its version and the kind of its message: \
        version-V/testcases/(request|response|message)/... Prints "right FILE" or "wrong FILE: REASON" for each, and \
        "R of N right". The exit code is 0 if all are right, otherwise 1.
        """
    )

    @Argument(help: ArgumentHelp("The files of the cases.", valueName: "file"))
    var files: [String]

    /// The largest case that is read, in bytes.
    private static let limit = 16 << 20

    func run() async throws {
      let output = VerdictOutput()
      var right = 0
      for file in files {
        let reason = await wrong(file)
        if reason == nil { right += 1 }
        try await output.write(line: reason.map { "wrong \(file): \($0)" } ?? "right \(file)")
      }
      try await output.write(line: "\(right) of \(files.count) right")
      guard right == files.count else { throw ExitStatus.refused }
    }

    /// Why a case is wrong; `nil` if it is right.
    private func wrong(_ file: String) async -> String? {
      do {
        let contents = try await BlockingQueue.files.run { try Descriptor.read(file, limit: Self.limit) }
        let verdict = try PactCase(contents: Bytes([UInt8](contents)), path: file).verdict
        return verdict.isRight ? nil : verdict.reason
      } catch {
        return "\(error)"
      }
    }
  }
#endif
