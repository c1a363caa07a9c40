#if Tool && CURL
  import Foundation

  /// What went wrong, with the inputs that it takes.
  struct Finding: Codable, Sendable {
    /// What happened.
    var what: String
    /// Over which engine.
    var engine: FuzzEngine
    /// The seed of the run.
    var seed: UInt64
    /// Whether the inputs, one after the other in a new process, made it happen again.
    var isRepeatable = false
    /// The inputs with the bytes of all replies.
    var inputs: [Input]

    static func read(_ path: String) throws -> Finding {
      try JSONDecoder().decode(Finding.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func write(to path: String) throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
    }
  }
#endif
