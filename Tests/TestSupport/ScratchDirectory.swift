import Foundation

/// A directory that is removed when the last reference goes away.
package final class ScratchDirectory: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("stagecoach-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String, _ content: [UInt8]) throws -> String {
    let file = "\(path)/\(name)"
    try Data(content).write(to: URL(fileURLWithPath: file))
    return file
  }
}
