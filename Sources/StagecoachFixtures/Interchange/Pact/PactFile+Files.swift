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
    if let code = writePending(bytes, to: pending, replacing: ReplacedFile(path)) {
      throw ScenarioError(
        .file,
        file: path,
        "the file cannot be written: \(String(cString: strerror(code)))"
      )
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

/// Writes a file, which at no time can be read by whoever could not read the replaced one.
///
/// - Returns: The system's error number; `nil` on success.
private func writePending(_ bytes: [UInt8], to path: String, replacing replaced: ReplacedFile?) -> Int32? {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, replaced == nil ? 0o666 : 0o600)
  guard descriptor >= 0 else { return errno }
  // One of an earlier process may have been there.
  if replaced != nil { _ = fchmod(descriptor, 0o600) }
  var code = Descriptor.write(Bytes(bytes), to: descriptor)
  replaced?.passOn(to: descriptor)
  if close(descriptor) != 0 { code = code ?? errno }
  return code
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
