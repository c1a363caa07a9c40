#if Tool
  import Foundation

  /// A folder of a test's own, removed with the value.
  final class ScratchFolder: Sendable {
    private let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appending(path: "stagecoach-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
      try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> URL { url.appending(path: name) }

    /// A file with this content.
    func write(_ name: String, _ content: some DataProtocol) throws -> String {
      try Data(content).write(to: path(name))
      return path(name).path
    }

    /// An empty file, open for writing.
    func create(_ name: String) throws -> FileHandle {
      try Data().write(to: path(name))
      return try FileHandle(forWritingTo: path(name))
    }

    /// The names of what is there.
    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
  }
#endif
