#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachCache

  /// `stagecoach cache show`: the heads of the entries with a URL.
  struct CacheShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show the heads of the stored responses with a URL.",
      discussion: "Ends with 1 if there are none."
    )

    @OptionGroup var place: CacheFolderArguments

    @Argument(help: "An absolute http or https URL.")
    var url: CacheURL

    func run() async throws {
      #if SQLite
        let entries = try await url.entries(in: try await place.folder.existing())
        guard !entries.isEmpty else { throw url.isUnknown }
        try await VerdictOutput().write(entries.map(\.text).joined(separator: "\n\n"))
      #endif
    }
  }

  #if SQLite
    extension DiskCacheStore.Listed {
      fileprivate var text: String {
        let response = entry.response
        let head = Redaction.head(response.head)
        var lines = ["\(Format.status(head.status)), \(entry.length) bytes"]
        if !key.isOfURLAlone { lines.append("for one user: \(key.partition)") }
        if let part = response.part {
          lines.append("part: from byte \(part.start), of \(part.total)")
        }
        for (name, date) in [
          ("asked", response.requestTime), ("arrived", response.responseTime),
          ("last used", max(lastUse, response.responseTime)),
        ] {
          lines.append("\(name): \(HTTPDate(date)?.description ?? "-")")
        }
        for nominated in response.vary { lines.append("depends on: \(nominated.name)") }
        lines.append("")
        lines += head.headerFields.map { "\($0.name.rawName): \($0.value)" }
        return lines.map { Format.oneLine($0) }.joined(separator: "\n")
      }
    }
  #endif
#endif
