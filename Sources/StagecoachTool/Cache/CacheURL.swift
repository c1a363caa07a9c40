#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachCache

  /// The URL of stored responses.
  struct CacheURL: ExpressibleByArgument {
    /// The keys that it can have: a client sends the URL in its normal form, a proxy as it came.
    private let keys: Set<String>
    private let shown: String

    init?(argument: String) {
      guard let target = try? TargetURI(parsing: argument, userInformation: .strip) else { return nil }
      keys = [argument, "\(target.scheme)://\(target.authority)\(target.requestTarget)"]
      shown = Redaction.url(argument)
    }

    #if SQLite
      /// Returns the entries with the URL, for all users and of all variants.
      ///
      /// - Throws: `DiskCacheError`.
      func entries(in store: DiskCacheStore) async throws -> [DiskCacheStore.Listed] {
        var entries: [DiskCacheStore.Listed] = []
        for key in keys.sorted() { entries += try await store.entries(url: key) }
        return entries
      }

      /// The end of a verb that finds no entry, with the reason on standard error.
      var isUnknown: ExitStatus {
        StandardError.write("stagecoach: no response to \(shown) is stored\n")
        return .refused
      }
    #endif
  }

  #if SQLite
    extension CacheFolder {
      /// Opens a folder that a cache has made.
      ///
      /// - Throws: `DiskCacheError`.
      func existing() async throws -> DiskCacheStore {
        try await BlockingQueue.files.run { [path] in try DiskCacheStore(folder: path, creates: false) }
      }
    }
  #endif
#endif
