#if SQLite
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// An error of the folder or the index of a ``DiskCacheStore``.
  ///
  /// Opening a store throws it. A ``Cache`` takes those of later calls for a miss.
  @nonexhaustive
  public enum DiskCacheError: Error, Sendable, Hashable {
    /// The folder has other content than a store.
    case foreignFolder(String)
    /// The folder, or something in it, belongs to another user, who could plant responses.
    case otherOwner(String, user: UInt32)
    /// Every user may write to the folder.
    case writableByAll(folder: String)
    /// The folder does not exist, or has no store.
    case missingStore(String)
    /// The store was written by a later version of the library.
    case newerVersion(folder: String, Int)
    /// The index is damaged. The next opening replaces it, unless another process uses it.
    case corruptIndex(folder: String)
    /// SQLite failed, for example because the disk is full.
    case index(code: Int32, message: String)
    /// A call of the system failed.
    case file(String, code: Int32)
  }

  extension DiskCacheError: CustomStringConvertible {
    /// A description of the error.
    public var description: String {
      switch self {
      case .foreignFolder(let folder):
        "\(folder) contains other files than a cache: give an empty or a new folder."
      case .otherOwner(let path, let user):
        "\(path) belongs to the user \(user), who could plant responses: give another folder, or make it yours, with "
          + "sudo chown -R \(geteuid()) \(Self.quoted(path)), if you trust what it contains."
      case .writableByAll(let folder):
        "Every user may write to \(folder), and could plant responses: give another folder, or remove what it contains "
          + "and run chmod 700 \(Self.quoted(folder))."
      case .missingStore(let folder): "\(folder) contains no cache."
      case .newerVersion(let folder, let version):
        "The cache in \(folder) has the format \(version) of a later version: update, or give another folder."
      case .corruptIndex(let folder):
        "The index of the cache in \(folder) is damaged: it is replaced when the cache is opened next, after all "
          + "processes that use it have ended."
      case .index(let code, let message): "The index of the cache failed: \(message) (SQLite error \(code))."
      case .file(let call, let code): "\(call): \(SystemFile.message(code))."
      }
    }

    /// A path as a word of a command.
    private static func quoted(_ path: String) -> String {
      "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
  }
#endif
