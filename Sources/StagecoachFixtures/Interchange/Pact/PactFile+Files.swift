import StagecoachCore

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

extension PactFile {
  /// The bytes of the largest file that is read.
  package static let limit = 64 << 20

  /// Reads a file.
  ///
  /// - Throws: ``ScenarioError``, with the line of the interaction where there is one.
  package init(path: String) throws(ScenarioError) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let attributes else { throw ScenarioError(.file, file: path, "there is no such file") }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw ScenarioError(.file, file: path, "not a regular file")
    }
    let contents: [UInt8]
    do {
      contents = try Descriptor.read(path, limit: Self.limit)
    } catch {
      throw ScenarioError(.file, file: path, "\(error)")
    }
    try self.init(contents: contents, path: path)
  }

  /// Reads the contents of a file.
  ///
  /// - Throws: ``ScenarioError``.
  package init(contents: [UInt8], path: String) throws(ScenarioError) {
    guard contents.count <= Self.limit else {
      throw ScenarioError(.limit, file: path, "the file is larger than \(Self.limit >> 20) MiB")
    }
    var reader = PactFileReader(path: path)
    self = try reader.file(contents)
  }

  /// The bytes of the file in version 3 or 4, and sentences about what the version cannot hold. Equal files have equal
  /// bytes, whatever the order of their interactions.
  ///
  /// - Throws: ``ScenarioError`` of kind `version` if an interaction needs another version.
  package func serialized(
    as version: ConsumerContract.Version
  ) throws(ScenarioError) -> (bytes: [UInt8], losses: [String]) {
    var writer = PactFileWriter(version == .v3 ? .v3 : .v4)
    let bytes = try writer.bytes(of: self)
    return (bytes, writer.losses)
  }

  /// Writes the interactions to a file, together with those that it has already.
  ///
  /// The file is replaced as a whole. Processes and tests that write at the same time take turns.
  ///
  /// - Returns: Sentences about what the version cannot hold.
  /// - Throws: ``ScenarioError``; the file is as it was then.
  package func write(to path: String, as version: ConsumerContract.Version) throws(ScenarioError) -> [String]
  {
    let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) : "."
    let place = folder.isEmpty ? "/" : folder
    do {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    } catch {
      throw ScenarioError(.file, file: path, "the folder cannot be created: \(error)")
    }
    let lock = try FolderLock(place, for: path)
    defer { lock.unlock() }
    var file = self
    if FileManager.default.fileExists(atPath: path) {
      file = try PactFile(path: path)
      try file.merge(self)
    }
    file.path = path
    let (bytes, losses) = try file.serialized(as: version)
    try Self.replace(path, with: bytes, in: place)
    return losses
  }

  private static func replace(_ path: String, with bytes: [UInt8], in folder: String) throws(ScenarioError) {
    if FileManager.default.contents(atPath: path) == Data(bytes) { return }
    let name = path.split(separator: "/").last ?? "pact.json"
    let pending = "\(folder)/.new.\(name)"
    do {
      try Data(bytes).write(to: URL(filePath: pending))
    } catch {
      throw ScenarioError(.file, file: path, "the file cannot be written: \(error)")
    }
    var replaced = stat()
    if lstat(path, &replaced) == 0, replaced.st_mode & S_IFMT == S_IFREG {
      chmod(pending, replaced.st_mode & 0o777)
    }
    guard rename(pending, path) == 0 else {
      throw ScenarioError(
        .file,
        file: path,
        "the file cannot be replaced: \(String(cString: strerror(errno)))"
      )
    }
  }
}

/// A lock that one process or thread has on a folder at a time.
private struct FolderLock {
  private let descriptor: CInt

  init(_ folder: String, for path: String) throws(ScenarioError) {
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ScenarioError(
        .file,
        file: path,
        "the folder cannot be opened: \(String(cString: strerror(errno)))"
      )
    }
    var result = flock(descriptor, LOCK_EX)
    while result != 0, errno == EINTR { result = flock(descriptor, LOCK_EX) }
    guard result == 0 else {
      close(descriptor)
      throw ScenarioError(
        .file,
        file: path,
        "the folder cannot be locked: \(String(cString: strerror(errno)))"
      )
    }
  }

  func unlock() { close(descriptor) }
}
