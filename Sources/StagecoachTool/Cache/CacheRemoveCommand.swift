#if Tool
  import ArgumentParser
  import StagecoachCache

  /// `stagecoach cache rm`: removes entries.
  struct CacheRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm",
      abstract: "Remove the stored responses with a URL, or all.",
      discussion: "Ends with 1 if there are none with the URL."
    )

    @OptionGroup var place: CacheFolderArguments

    @Argument(help: "An absolute http or https URL.")
    var url: CacheURL?

    @Flag(help: "Remove all stored responses.")
    var all = false

    func validate() throws {
      guard (url == nil) == all else { throw ValidationError("rm requires either a URL or --all") }
    }

    func run() async throws {
      #if SQLite
        let store = try await place.folder.existing()
        let count: Int64
        if let url {
          let entries = try await url.entries(in: store)
          guard !entries.isEmpty else { throw url.isUnknown }
          for key in Set(entries.map(\.key.url)) { try await store.invalidate(url: key) }
          count = Int64(entries.count)
        } else {
          count = try await store.statistics().count
          try await store.removeAll()
        }
        try await VerdictOutput().write("removed \(count) \(count == 1 ? "response" : "responses")")
      #endif
    }
  }
#endif
