#if Tool
  import ArgumentParser
  import Foundation
  import StagecoachCore
  import StagecoachFixtures

  /// `stagecoach contract import`: makes a scenario of a file of another tool.
  struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract:
        "Make a scenario of a HAR or Pact file, WireMock mappings, a dump of curl -i, or a file .http.",
      discussion: """
        The content of the file shows its format. Secrets are replaced by placeholders, as in a recording; a scenario \
        in the folder is replaced. Prints a line for each thing that the file does not hold, and what was replaced. \
        A folder is a project of WireMock: all mappings in it are taken, and the contents from __files.

        \(RedactionArguments.discussion)
        """
    )

    @Argument(help: ArgumentHelp("The file, or the folder of a project of WireMock.", valueName: "file"))
    var file: String

    @Option(name: .customLong("to"), help: ArgumentHelp("The folder of the scenario.", valueName: "folder"))
    var folder: String

    @Flag(help: "Write nothing if something is missing, and end with 1.")
    var strict = false

    @OptionGroup(title: "Secrets") var redaction: RedactionArguments

    /// The largest file that is read, in bytes.
    private static let limit = 256 << 20

    /// Reads a file of another tool.
    static func read(_ file: String, _ redaction: RedactionOptions) async throws -> ImportedScenario {
      do {
        let bytes = try await BlockingQueue.files.run { try Descriptor.read(file, limit: limit) }
        return try await InterchangeFormat.scenario(in: bytes, of: file, redaction: redaction)
      } catch let error as ExchangeError {
        throw ScenarioError(.file, file: file, error.message)
      }
    }

    func run() async throws {
      let imported = try await imported(RedactionOptions(redaction.options(), for: folder))
      let output = VerdictOutput()
      for note in imported.notes { try await output.write(line: note) }
      for line in imported.summary.lines { try await output.write(line: line) }
      guard !strict || imported.notes.isEmpty && imported.summary.omitted.isEmpty else {
        throw ExitStatus.refused
      }
      try await BlockingQueue.files.run { [folder] in try imported.scenario.write(folder: folder) }
      try await output.write(line: "\(folder): \(imported.scenario.exchanges.count) exchanges")
    }

    private func imported(_ redaction: RedactionOptions) async throws -> ImportedScenario {
      if (try? FileManager.default.contentsOfDirectory(atPath: file)) != nil {
        return try await InterchangeFormat.scenario(inFolder: file, redaction: redaction)
      }
      return try await Self.read(file, redaction)
    }
  }
#endif
