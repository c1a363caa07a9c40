#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachCache

  /// Where the cache of a proxy keeps responses.
  enum CachePlace: ExpressibleByArgument {
    case memory
    case folder(CacheFolder)

    init?(argument: String) {
      guard argument != "memory" else {
        self = .memory
        return
      }
      guard let folder = CacheFolder(argument: argument) else { return nil }
      self = .folder(folder)
    }

    /// Checks that the place is available, and that what comes over these connections may be kept there.
    func validate(with connections: ConnectionArguments) throws {
      if case .folder(let folder) = self { try folder.validate(with: connections) }
    }

    /// - Throws: `DiskCacheError`.
    func open(_ size: ByteCount?) async throws -> any CacheStore {
      switch self {
      case .memory: size.map { MemoryCacheStore(capacity: Int($0.value)) } ?? MemoryCacheStore()
      case .folder(let folder): try await folder.open(size)
      }
    }
  }
#endif
