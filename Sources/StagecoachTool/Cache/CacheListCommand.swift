#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachCache

  /// `stagecoach cache ls`: the entries, one per line.
  struct CacheListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls",
      abstract: "List the stored responses, in the order in which they were stored.",
      discussion: """
        A line has the status, the bytes of the content, the time at which the response arrived, the URL, the request \
        fields that the response depends on, and the beginning of a hash if the response is for one user alone.
        """
    )

    @OptionGroup var place: CacheFolderArguments

    func run() async throws {
      #if SQLite
        let store = try await place.folder.existing()
        let output = VerdictOutput()
        var next: UInt64? = 0
        while let start = next {
          let page = try await store.entries(after: start)
          try Task.checkCancellation()
          if !page.entries.isEmpty {
            try await output.write(page.entries.map(\.line).joined(separator: "\n"))
          }
          next = page.next
        }
      #endif
    }
  }

  #if SQLite
    extension DiskCacheStore.Listed {
      fileprivate var line: String {
        let response = entry.response
        var parts = [
          "\(response.head.status.code)", "\(entry.length)",
          HTTPDate(response.responseTime)?.description ?? "-",
          Format.oneLine(Redaction.url(key.url)),
        ]
        if !response.vary.isEmpty { parts.append("vary=" + response.vary.map(\.name).joined(separator: ",")) }
        if let part = response.part {
          parts.append("part=\(part.start)-\(part.start + entry.length - 1)/\(part.total)")
        }
        if !key.isOfURLAlone { parts.append("for=\(key.partition.prefix(8))") }
        return parts.joined(separator: "  ")
      }
    }
  #endif
#endif
