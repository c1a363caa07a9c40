#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachCache

  /// The folder of a cache, which needs the trait `SQLite`.
  struct CacheFolder: ExpressibleByArgument {
    let path: String

    init?(argument: String) {
      guard !argument.isEmpty else { return nil }
      path = argument
    }

    /// Checks that there can be a cache in a folder at all.
    ///
    /// - Parameter name: The option or the verb that wants it.
    static func validate(for name: String) throws {
      #if !SQLite
        throw ValidationError(
          "\(name) is not available: stagecoach was built without the package trait \"SQLite\""
        )
      #endif
    }

    /// Checks that what comes over these connections may be kept: a folder outlives the command, and what another than
    /// the server has sent would be served for it later.
    func validate(with connections: ConnectionArguments) throws {
      try Self.validate(for: "--cache with a folder")
      if connections.insecure {
        throw ValidationError("--cache with a folder and --insecure cannot be combined")
      }
      if connections.unixSocket != nil {
        throw ValidationError("--cache with a folder and --unix-socket cannot be combined")
      }
    }

    /// Opens the folder, and creates it if it does not exist.
    ///
    /// - Throws: `DiskCacheError`.
    func open(_ size: ByteCount?) async throws -> any CacheStore {
      #if SQLite
        try await BlockingQueue.files.run { [path] in
          try DiskCacheStore(folder: path, capacity: size?.value)
        }
      #else
        throw ValidationError("built without the package trait \"SQLite\"")
      #endif
    }
  }
#endif
