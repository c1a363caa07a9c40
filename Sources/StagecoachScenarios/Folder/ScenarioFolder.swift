import StagecoachFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder of a scenario.
///
/// It changes in three steps, so that a process that ends in between loses nothing: new bodies are written beside the
/// old ones, under names that begin with ``pending``; the manifest is replaced; the bodies take their names. Who reads
/// takes a pending file where the one it stands for is missing or has other content than the manifest says.
package struct ScenarioFolder {
  static let pending = ".new."
  /// The bytes of all files of a scenario.
  package static let limit = 256 << 20

  let path: String

  package init(path: String) {
    self.path = path
  }

  /// Whether this is the folder of a scenario, and no file.
  var hasManifest: Bool { FileManager.default.fileExists(atPath: place(ManifestFile.name)) }

  func place(_ name: String) -> String { "\(path)/\(name)" }

  /// The place of a body that is written before the manifest.
  func pendingPlace(_ name: String) -> String {
    let parts = name.split(separator: "/")
    return place((parts.dropLast() + [Self.pending + (parts.last ?? "")]).joined(separator: "/"))
  }

  // MARK: Reading

  func scenario() throws -> Scenario {
    var left = Self.limit
    let file = place(ManifestFile.name)
    return try Self.scenario(in: read(file, &left), of: file) { try body($0, digest: $1, &left) }
  }

  /// Reads a manifest.
  static func scenario(
    in text: [UInt8],
    of file: String,
    _ readFile: (_ name: String, _ digest: String?) throws -> Bytes
  ) throws -> Scenario {
    let root: JSONValue
    do {
      root = try JSONValue(parsing: text)
    } catch {
      throw ScenarioError(.syntax, file: file, line: error.line, "\(error)")
    }
    do {
      return try withoutActuallyEscaping(readFile) {
        try ManifestReader(readFile: $0).scenario(ManifestNode(root))
      }.convertingOlderPlaceholders()
    } catch let failure as ManifestNode.Failure {
      let kind: ScenarioError.Kind = failure.path == [.key("format")] ? .format : .invalid
      throw ScenarioError(
        kind,
        file: file,
        line: ManifestLines.line(of: failure.path, in: text),
        failure.message
      )
    }
  }

  private func body(_ name: String, digest: String?, _ left: inout Int) throws -> Bytes {
    let pending = pendingPlace(name)
    guard FileManager.default.fileExists(atPath: pending) else { return Bytes(try read(place(name), &left)) }
    for file in [place(name), pending] {
      var room = left
      guard let bytes = try? read(file, &room) else { continue }
      guard digest == nil || digest == SHA256.hash(bytes).hexadecimal else { continue }
      left = room
      return Bytes(bytes)
    }
    // What is wrong with it, or what took its place meanwhile.
    return Bytes(try read(place(name), &left))
  }

  /// A folder in this one, whose files may lead no further up.
  package func inner(_ name: String) -> ScenarioFolder { ScenarioFolder(path: place(name)) }

  /// Reads a file that lies in the folder: its name is no way out, and nothing on the way is a link.
  ///
  /// - Parameter left: The bytes that may still be read.
  /// - Throws: ``ScenarioError``.
  package func contents(of name: String, _ left: inout Int) throws -> [UInt8] {
    guard ManifestFile.mayHave(name) else {
      throw ScenarioError(.unsafePath, file: name, "the file does not lie in the folder \(path)")
    }
    return try read(place(name), &left)
  }

  private func read(_ file: String, _ left: inout Int) throws -> [UInt8] {
    try checkLinks(file)
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: file)
    } catch {
      throw ScenarioError(.file, file: file, "there is no such file")
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw ScenarioError(.unsafePath, file: file, "not a regular file")
    }
    let size = attributes[.size] as? UInt
    // Foundation leaks a buffer where a file is empty.
    guard size != 0 else { return [] }
    let contents = size ?? 0 <= UInt(left) ? FileManager.default.contents(atPath: file) : nil
    left -= contents?.count ?? Int(clamping: size ?? 0)
    guard left >= 0 else {
      throw ScenarioError(
        .limit,
        file: file,
        "the files of a scenario have more than \(Self.limit >> 20) MiB together"
      )
    }
    guard let contents else { throw ScenarioError(.file, file: file, "the file cannot be read") }
    return [UInt8](contents)
  }

  /// Checks that no folder below that of the scenario is a link.
  private func checkLinks(_ file: String) throws {
    var place = path
    for part in file.dropFirst(path.count + 1).split(separator: "/") {
      place += "/\(part)"
      let attributes = try? FileManager.default.attributesOfItem(atPath: place)
      if attributes?[.type] as? FileAttributeType == .typeSymbolicLink {
        throw ScenarioError(.unsafePath, file: place, "a link; the files of a scenario lie in its folder")
      }
    }
  }
}
