#if Tool
  import ArgumentParser
  import Foundation
  import StagecoachCache

  /// `stagecoach cache prune`: removes the entries that were not used for longest.
  struct CachePruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prune",
      abstract: "Remove the stored responses that were not used for longest, and give their space back.",
      discussion: "With both options, only unused responses are removed, until the rest fits the size."
    )

    @OptionGroup var place: CacheFolderArguments

    @Option(help: ArgumentHelp("Until the rest has at most this size, such as 500M.", valueName: "bytes"))
    var size: ByteCount?

    @Option(help: ArgumentHelp("Those not used for this time.", valueName: "days"))
    var unused: Double?

    /// A time that no store has seen, in days.
    private static let mostDays = 1e6

    func validate() throws {
      guard size != nil || unused != nil else { throw ValidationError("prune requires --size or --unused") }
      if let unused, !(0...Self.mostDays).contains(unused) {
        throw ValidationError("--unused must be between 0 and \(Int(Self.mostDays)) days")
      }
    }

    func run() async throws {
      #if SQLite
        let store = try await place.folder.existing()
        let before = try await store.statistics()
        let date = unused.map { Date.now.addingTimeInterval(-$0 * 86_400) }
        try await store.prune(toSize: size?.value ?? 0, unusedSince: date)
        let after = try await store.statistics()
        let count = max(0, before.count - after.count)
        try await VerdictOutput().write(
          "removed \(count) \(count == 1 ? "response" : "responses"), left \(after.count) of \(after.size) bytes"
        )
      #endif
    }
  }
#endif
