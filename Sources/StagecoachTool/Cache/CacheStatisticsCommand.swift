#if Tool
  import ArgumentParser
  import StagecoachCache

  /// `stagecoach cache stats`: the contents in numbers.
  struct CacheStatisticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats",
      abstract: "Show how many responses are stored, their size, and the capacity."
    )

    @OptionGroup var place: CacheFolderArguments

    func run() async throws {
      #if SQLite
        let statistics = try await place.folder.existing().statistics()
        try await VerdictOutput().write(
          "responses: \(statistics.count)\nbytes: \(statistics.size)\ncapacity: \(statistics.capacity)"
        )
      #endif
    }
  }
#endif
