#if Tool
  import ArgumentParser
  import StagecoachCore
  import StagecoachFixtures
  import StagecoachScenarios

  /// `stagecoach contract format`: writes scenarios as a recorder does.
  struct FormatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "format",
      abstract: "Write scenarios in the form that a recorder writes them.",
      discussion: """
        Looks for scenarios in the folders and below them: one order of members, one field per line, JSON contents with \
        line breaks. Prints the scenarios that changed.
        """
    )

    @Argument(help: ArgumentHelp("The folders.", valueName: "folder"))
    var folders: [String]

    func run() async throws {
      let output = VerdictOutput()
      for folder in folders {
        for name in try await BlockingQueue.files.run({ try ScenarioFolders.names(below: folder) }) {
          let place = name.isEmpty ? folder : "\(folder)/\(name)"
          let isChanged = try await BlockingQueue.files.run { try Self.format(place) }
          if isChanged { try await output.write(line: place) }
        }
      }
    }

    /// Writes a scenario again; returns whether its manifest changed.
    private static func format(_ folder: String) throws -> Bool {
      let file = ScenarioFolders.manifest(in: folder)
      let before = try Descriptor.read(file, limit: manifestLimit)
      try Scenario(folder: folder).write(folder: folder)
      return try Descriptor.read(file, limit: manifestLimit) != before
    }

    /// The largest manifest, in bytes: that of all files of a scenario.
    private static let manifestLimit = 256 << 20
  }
#endif
