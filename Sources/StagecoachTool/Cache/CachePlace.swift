#if Tool
  import ArgumentParser
  import Stagecoach

  /// Where `--cache` keeps responses.
  enum CachePlace: ExpressibleByArgument {
    case memory
    case folder(String)

    init?(argument: String) {
      guard !argument.isEmpty else { return nil }
      self = argument == "memory" ? .memory : .folder(argument)
    }

    /// Checks that the place is available, and that what is kept there may be kept.
    func validate(with connections: ConnectionArguments) throws {
      guard case .folder = self else { return }
      #if SQLite
        // A folder outlives the command: what came from an impostor or from another server would be served later.
        if connections.insecure {
          throw ValidationError("--cache with a folder and --insecure cannot be combined")
        }
        if connections.unixSocket != nil {
          throw ValidationError("--cache with a folder and --unix-socket cannot be combined")
        }
      #else
        throw ValidationError(
          "--cache with a folder is not available: stagecoach was built without the package trait \"SQLite\""
        )
      #endif
    }

    /// The stages that keep and answer.
    ///
    /// - Parameter isShared: Whether the cache serves several users.
    func stages(isShared: Bool) async throws -> [any Middleware] {
      []
    }
  }
#endif
