#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The scenarios below a folder.
package enum ScenarioFolders {
  /// The maximum number of folders between a root and a scenario.
  private static let maxDepth = 16
  /// The maximum number of files and folders below a root.
  private static let maxEntries = 100_000

  /// The paths of the scenarios relative to a root, sorted; empty for the root itself. Names that begin with a dot and
  /// links are skipped.
  ///
  /// - Throws: ``ScenarioError`` of kind `file` if the root cannot be read, `limit` if it holds more than 100,000 files
  ///   or scenarios more than 16 levels deep.
  package static func names(below root: String) throws -> [String] {
    var names: [String] = []
    try walk(root) { folder, entries in
      if entries.contains(ScenarioFolder.manifest) { names.append(folder) }
    }
    return names.sorted()
  }

  /// The paths of the scenarios in a folder and below it, sorted: folders, and files `.http` with exchanges that were
  /// written by hand.
  ///
  /// - Throws: As ``names(below:)``.
  package static func places(below root: String) throws -> [String] {
    var places: [String] = []
    try walk(root) { folder, entries in
      let folder = folder.isEmpty ? root : "\(root)/\(folder)"
      if entries.contains(ScenarioFolder.manifest) { places.append(folder) }
      for entry in entries where entry.hasSuffix(".http") && !entry.hasPrefix(".") {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(entry)")
        if attributes?[.type] as? FileAttributeType == .typeRegular { places.append("\(folder)/\(entry)") }
      }
    }
    return places.sorted()
  }

  /// The path of the manifest in a folder.
  package static func manifest(in folder: String) -> String { "\(folder)/\(ScenarioFolder.manifest)" }

  /// Whether a path is that of a folder with a manifest.
  package static func hasManifest(_ place: String) -> Bool { ScenarioFolder(path: place).hasManifest }

  /// Calls a closure with each folder below a root and its entries.
  private static func walk(
    _ root: String,
    _ visit: (_ folder: String, _ entries: [String]) -> Void
  ) throws {
    var left = maxEntries
    var folders = [(path: "", depth: 0)]
    while let (folder, depth) = folders.popLast() {
      let place = folder.isEmpty ? root : "\(root)/\(folder)"
      guard let entries = try? FileManager.default.contentsOfDirectory(atPath: place) else {
        throw ScenarioError(.file, file: place, "the folder does not exist or cannot be read")
      }
      left -= entries.count
      guard left >= 0 else {
        throw ScenarioError(.limit, file: root, "the folder holds more than \(maxEntries) files")
      }
      visit(folder, entries)
      for entry in entries where !entry.hasPrefix(".") {
        let path = folder.isEmpty ? entry : "\(folder)/\(entry)"
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else { continue }
        guard depth < maxDepth else {
          throw ScenarioError(.limit, file: "\(root)/\(path)", "more than \(maxDepth) folders deep")
        }
        folders.append((path, depth + 1))
      }
    }
  }
}
