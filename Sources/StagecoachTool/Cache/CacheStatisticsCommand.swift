#if Tool
  import ArgumentParser
  import StagecoachCache

  /// `stagecoach cache stats`: the contents in numbers.
  struct CacheStatisticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats",
      abstract: "Show how many responses are stored, and their size."
    )

    @OptionGroup var place: CacheFolderArguments

    func run() async throws {
      #if SQLite
        let statistics = try await place.folder.existing().statistics()
        try await VerdictOutput().write("responses: \(statistics.count)\nbytes: \(statistics.size)")
      #endif
    }
  }
#endif
