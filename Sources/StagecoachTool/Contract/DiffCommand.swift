#if Tool
  import ArgumentParser
  import StagecoachCore
  import StagecoachFixtures

  /// `stagecoach contract diff`: compares two recordings.
  struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Compare two recordings of a service.",
      discussion: """
        Prints the exchanges that were added (+), are missing (-) or differ (~), with what differs. Times, dates, UUIDs, \
        nonces, request identifiers, chunks and boundaries are new in each recording and are not compared, nor is the \
        origin. The exit code is 0 if nothing differs, otherwise 1.
        """
    )

    @Argument(help: ArgumentHelp("The folder of the first scenario.", valueName: "folder"))
    var first: String

    @Argument(help: ArgumentHelp("The folder of the second scenario.", valueName: "folder"))
    var second: String

    func run() async throws {
      let output = VerdictOutput()
      let differences = try await BlockingQueue.files.run { [first, second] in
        ScenarioDifferences(try Scenario(folder: first), try Scenario(folder: second))
      }
      for entry in differences.entries {
        try await output.write(line: "\(entry.sign) \(entry.exchange)")
        for line in entry.lines { try await output.write(line: "      \(line)") }
      }
      guard differences.entries.isEmpty else { throw ExitStatus.refused }
    }
  }
#endif
