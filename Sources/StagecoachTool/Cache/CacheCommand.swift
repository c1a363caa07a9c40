#if Tool
  import ArgumentParser

  /// `stagecoach cache`: what the folder of a cache holds.
  struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cache",
      abstract: "List and remove what is kept in the folder of a cache.",
      discussion: "Secrets in URLs and fields are not shown. Requires the package trait SQLite.",
      subcommands: [
        CacheListCommand.self, CacheShowCommand.self, CacheRemoveCommand.self, CachePruneCommand.self,
        CacheStatisticsCommand.self,
      ]
    )
  }

  /// The folder that a verb of `cache` works on.
  struct CacheFolderArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The folder of the cache.", valueName: "folder"))
    var folder: CacheFolder

    func validate() throws { try CacheFolder.validate(for: "cache") }
  }
#endif
