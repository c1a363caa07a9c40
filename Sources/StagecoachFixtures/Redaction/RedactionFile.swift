import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file `redaction.json`: which leaves a project redacts and keeps, by their names and paths. It holds no values.
///
/// ```json
/// { "redact": ["X-Tenant", "$.user.birthday"], "keep": ["query.code"] }
/// ```
enum RedactionFile {
  static let name = "redaction.json"

  /// Returns options with the entries of the file in a folder, or the nearest above it, up to the root of a package or a
  /// repository; the same options if there is none.
  ///
  /// - Throws: ``ScenarioError``.
  fileprivate static func options(_ options: RedactionOptions, for folder: String) throws -> RedactionOptions
  {
    guard let file = nearest(to: folder) else { return options }
    let bytes = FileManager.default.contents(atPath: file) ?? Data()
    let root: JSONValue
    do {
      root = try JSONValue(parsing: [UInt8](bytes))
    } catch {
      throw ScenarioError(.syntax, file: file, line: error.line, "\(error)")
    }
    guard case .object(let object) = root else { throw failure(file, "expected an object") }
    var result = options
    for member in object.members {
      guard case .array(let elements) = member.value, ["redact", "keep"].contains(member.key) else {
        throw failure(file, "expected \"redact\" and \"keep\", each a list of names and paths")
      }
      for element in elements {
        guard case .string(let entry) = element, RedactionOptions.isNameOrPath(entry) else {
          throw failure(
            file,
            "an entry of \"\(member.key)\" is no name and no path; values do not belong here: give them with --secret"
          )
        }
        if member.key == "redact" { result.redact(entry) } else { result.keep(entry) }
      }
    }
    return result
  }

  private static func failure(_ file: String, _ text: String) -> ScenarioError {
    ScenarioError(.invalid, file: file, text)
  }

  private static func nearest(to folder: String) -> String? {
    var url = URL(filePath: folder).standardizedFileURL
    for _ in 0..<64 {
      let file = url.appending(path: name).path
      if FileManager.default.fileExists(atPath: file) { return file }
      let isTop = ["Package.swift", ".git"].contains { mark in
        FileManager.default.fileExists(atPath: url.appending(path: mark).path)
      }
      guard !isTop, url.path != "/" else { return nil }
      url.deleteLastPathComponent()
    }
    return nil
  }

}

extension RedactionOptions {
  /// Creates options with the entries of the file `redaction.json` in a folder, or in the nearest folder above it, up to the
  /// root of a package or a repository.
  ///
  /// - Throws: ``ScenarioError`` if the file is malformed or holds a value.
  public init(_ options: RedactionOptions = RedactionOptions(), for folder: String) throws {
    self = try RedactionFile.options(options, for: folder)
  }

  /// Adds what others name.
  package mutating func merge(_ others: RedactionOptions) {
    secretNames.formUnion(others.secretNames)
    secretPaths.formUnion(others.secretPaths)
    allowedNames.formUnion(others.allowedNames)
    allowedPaths.formUnion(others.allowedPaths)
    secrets.merge(others.secrets) { $1 }
    detector = others.detector ?? detector
  }

  /// Redacts the leaves with a name, or at a path such as `$.user.pin`, `query.code` or `/login/password/#text`.
  public mutating func redact(_ nameOrPath: String) {
    if Self.isPath(nameOrPath) { secretPaths.insert(nameOrPath) } else { secretNames.insert(nameOrPath) }
  }

  /// Keeps the leaves with a name or at a path.
  public mutating func keep(_ nameOrPath: String) {
    if Self.isPath(nameOrPath) { allowedPaths.insert(nameOrPath) } else { allowedNames.insert(nameOrPath) }
  }

  private static func isPath(_ text: String) -> Bool { text.contains { "$/.[>".contains($0) } }

  /// Whether a text can be a name or a path: it is no assignment, and nothing that looks like a key.
  package static func isNameOrPath(_ text: String) -> Bool {
    let octets = Array(text.utf8)
    return !octets.isEmpty && !text.contains("=") && !SecretValues.isRandom(octets)
      && SecretShapes.whole(octets) == nil
  }
}
