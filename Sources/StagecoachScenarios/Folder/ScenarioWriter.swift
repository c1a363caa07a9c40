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
    let changed = bodies.files.filter { !isThere($0) }.map { ($0.name, $0.bytes) }
    let known =
      self.manifest
      ?? FileManager.default.contents(atPath: folder.place(ScenarioFolder.manifest)).map { [UInt8]($0) }
    try replace(changed, manifest: known == manifest ? nil : manifest)
    let current = Dictionary(
      bodies.files.map { ($0.name, $0.digest) },
      uniquingKeysWith: { first, _ in first }
    )
    for name in (old ?? []).union(written.keys) where current[name] == nil {
      try? FileManager.default.removeItem(atPath: folder.place(name))
    }
    (old, written, self.manifest) = ([], current, manifest)
  }

  /// Replaces files of the folder, and the manifest if that is another one.
  ///
  /// - Throws: ``ScenarioError``.
  package func replace(_ files: [(name: String, bytes: [UInt8])], manifest: [UInt8]? = nil) throws {
    try createFolder(folder.path)
    for (name, bytes) in files {
      try createFolder(parent(of: folder.place(name)))
      try write(bytes, to: folder.pendingPlace(name), replacing: folder.place(name))
    }
    if let manifest {
      let place = folder.place(ScenarioFolder.manifest)
      try write(manifest, to: folder.pendingPlace(ScenarioFolder.manifest), replacing: place)
      try move(folder.pendingPlace(ScenarioFolder.manifest), to: place)
    }
    for (name, _) in files { try move(folder.pendingPlace(name), to: folder.place(name)) }
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

  /// Writes a file without waiting for the disk. Foundation waits for each file, which takes longer than all the rest,
  /// so that a recording falls behind; an order of files is only needed among processes.
  ///
  /// Whoever could not read the file that it replaces can read it at no time.
  private func write(_ bytes: [UInt8], to file: String, replacing place: String) throws {
    var replaced = stat()
    let replaces = lstat(place, &replaced) == 0 && replaced.st_mode & S_IFMT == S_IFREG
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, replaces ? 0o600 : 0o666)
    guard descriptor >= 0 else { throw Self.error(file, "written") }
    // One of an earlier process may have been there.
    if replaces { _ = fchmod(descriptor, 0o600) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]))
      }
      guard count > 0 || (count < 0 && errno == EINTR) else {
        let error = Self.error(file, "written")
        close(descriptor)
        throw error
      }
      done += max(count, 0)
    }
    if replaces { _ = fchmod(descriptor, replaced.st_mode & 0o777) }
    guard close(descriptor) == 0 else { throw Self.error(file, "written") }
  }

  private func move(_ file: String, to place: String) throws {
    guard rename(file, place) == 0 else { throw Self.error(place, "replaced") }
  }

  /// The error of the last call of the system.
  private static func error(_ file: String, _ action: String) -> ScenarioError {
    let reason = String(cString: strerror(errno))
    return ScenarioError(.file, file: file, "the file cannot be \(action): \(reason)")
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Glibc)
    Glibc.write(descriptor, bytes.baseAddress, bytes.count)
  #elseif canImport(Musl)
    Musl.write(descriptor, bytes.baseAddress, bytes.count)
  #else
    Darwin.write(descriptor, bytes.baseAddress, bytes.count)
  #endif
}
