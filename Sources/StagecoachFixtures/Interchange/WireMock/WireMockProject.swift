import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of a project of WireMock: those below its folders `mappings`, or all where there is none.
struct WireMockProject {
  private static let greatestDepth = 64

  let folder: String
  private var paths: [String] = []
  private var left = ScenarioFolder.limit

  /// Reads all mappings below a folder, in the order of their paths, and removes secrets as a recorder does. A mapping that
  /// is malformed is left out.
  ///
  /// - Throws: ``ScenarioError`` if there is none, or the files are too large, and ``RedactionError``.
  static func scenario(in folder: String) async throws -> ImportedScenario {
    var project = WireMockProject(folder: folder)
    try project.find(in: "", depth: 0)
    let marked = project.paths.filter { "/\($0)".contains("/mappings/") }
    if !marked.isEmpty { project.paths = marked }
    var (files, notes): ([(root: ManifestNode, file: ForeignFile)], [String]) = ([], [])
    for path in project.paths {
      do {
        let file = try project.file(path)
        let root = try file.json()
        guard !marked.isEmpty || InterchangeFormat.isWireMock(root) else { continue }
        files.append((root, file))
      } catch let error as ScenarioError where error.kind != .limit {
        notes.append("left out: \(error)")
      }
    }
    guard !files.isEmpty else {
      throw ScenarioError(
        .format,
        file: folder,
        notes.first ?? "there are no mappings of WireMock in the folder"
      )
    }
    var imported = try await WireMockReader.scenario(in: files)
    imported.notes = notes + imported.notes
    return imported
  }

  private init(folder: String) {
    let path = folder.hasPrefix("/") ? folder : FileManager.default.currentDirectoryPath + "/" + folder
    self.folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Finds JSON files, but not those of contents, and follows no links.
  private mutating func find(in place: String, depth: Int) throws {
    let path = place.isEmpty ? folder : "\(folder)/\(place)"
    guard depth <= Self.greatestDepth, let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    else {
      throw ScenarioError(.file, file: path, "the folder cannot be read, or is too deep")
    }
    for name in names.sorted() where !name.hasPrefix(".") && name != "__files" {
      let inner = place.isEmpty ? name : "\(place)/\(name)"
      switch try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(inner)")[.type]
        as? FileAttributeType
      {
      case .typeDirectory?: try find(in: inner, depth: depth + 1)
      case .typeRegular? where name.hasSuffix(".json"): paths.append(inner)
      default: break
      }
      guard paths.count <= ForeignFile.maxExchanges else {
        throw ScenarioError(
          .limit,
          file: folder,
          "the folder has more than \(ForeignFile.maxExchanges) files"
        )
      }
    }
  }

  private mutating func file(_ path: String) throws -> ForeignFile {
    let bytes = try ScenarioFolder(path: folder).contents(of: path, &left)
    var file = ForeignFile(path: "\(folder)/\(path)", bytes: bytes)
    file.project = folder
    return file
  }
}
