import StagecoachFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes a scenario to its folder, in the three steps of ``ScenarioFolder``.
///
/// It remembers what it wrote: a scenario that grew by an exchange costs what the exchange costs, and the manifest.
package struct ScenarioWriter {
  private let folder: ScenarioFolder
  private var bodies = BodyFiles()
  /// The manifest and the digests of the bodies in the folder, as far as they are known.
  private var manifest: [UInt8]?
  private var written: [String: String] = [:]
  /// The body files of the scenario that the folder held before.
  private var old: Set<String>?

  package init(folder: String) {
    self.folder = ScenarioFolder(path: folder)
  }

  /// The files of a scenario, with their contents.
  ///
  /// - Throws: ``ScenarioError``.
  package static func files(of scenario: Scenario) throws -> [(name: String, bytes: [UInt8])] {
    var writer = ManifestWriter()
    let manifest = try writer.manifest(of: scenario)
    return [(ScenarioFolder.manifest, manifest)] + writer.bodies.files.map { ($0.name, $0.bytes) }
  }

  /// - Throws: ``ScenarioError``.
  package mutating func write(_ scenario: Scenario) throws {
    if old == nil { old = Set((try? folder.scenario())?.bodyFiles ?? []) }
    var writer = ManifestWriter(bodies)
    let manifest = try writer.manifest(of: scenario)
    bodies = writer.bodies
    try createFolder(folder.path)
    var pending: [String] = []
    for file in bodies.files where !isThere(file) {
      try createFolder(parent(of: folder.place(file.name)))
      try write(file.bytes, to: folder.pendingPlace(file.name))
      pending.append(file.name)
    }
    let known =
      self.manifest
      ?? FileManager.default.contents(atPath: folder.place(ScenarioFolder.manifest)).map { [UInt8]($0) }
    if known != manifest {
      try write(manifest, to: folder.pendingPlace(ScenarioFolder.manifest))
      try move(folder.pendingPlace(ScenarioFolder.manifest), to: folder.place(ScenarioFolder.manifest))
    }
    for name in pending { try move(folder.pendingPlace(name), to: folder.place(name)) }
    let current = Dictionary(
      bodies.files.map { ($0.name, $0.digest) },
      uniquingKeysWith: { first, _ in first }
    )
    for name in (old ?? []).union(written.keys) where current[name] == nil {
      try? FileManager.default.removeItem(atPath: folder.place(name))
    }
    (old, written, self.manifest) = ([], current, manifest)
  }

  private func isThere(_ file: BodyFiles.File) -> Bool {
    if let digest = written[file.name] { return digest == file.digest }
    return FileManager.default.contents(atPath: folder.place(file.name)) == Data(file.bytes)
  }

  private func parent(of file: String) -> String {
    String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
  }

  private func createFolder(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ScenarioError(.file, file: folder, "the folder cannot be created: \(error)")
    }
  }

  private func write(_ bytes: [UInt8], to file: String) throws {
    do {
      try Data(bytes).write(to: URL(filePath: file))
    } catch {
      throw ScenarioError(.file, file: file, "the file cannot be written: \(error)")
    }
  }

  private func move(_ file: String, to place: String) throws {
    guard rename(file, place) == 0 else {
      throw ScenarioError(
        .file,
        file: place,
        "the file cannot be replaced: \(String(cString: strerror(errno)))"
      )
    }
  }
}
