#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder of the fixtures of a package, in its sources.
struct FixtureRoot {
  static let variable = "STAGECOACH_FIXTURES"

  let path: String

  /// - Parameters:
  ///   - explicit: The folder that the test names; a relative path begins at its package.
  ///   - filePath: The file of the test.
  /// - Throws: ``FixtureError`` if there is no folder, or it is a product of a build.
  init(
    _ explicit: String?,
    filePath: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(FixtureError) {
    let path = try Self.path(explicit, filePath, environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 })
    guard !path.split(separator: "/").contains(".build") else {
      throw FixtureError(
        .configuration,
        fixture: path,
        "a copy of fixtures in a build folder; use the folder in the sources"
      )
    }
    self.path = path
  }

  private static func path(
    _ explicit: String?,
    _ filePath: String,
    _ variable: String?
  ) throws(FixtureError) -> String {
    let exists = FileManager.default.fileExists(atPath:)
    if let explicit, explicit.hasPrefix("/") {
      // A path of the machine that compiled the test need not exist on the one that runs it.
      return exists(explicit) ? explicit : variable ?? explicit
    }
    if let package = package(of: filePath) { return "\(package)/\(explicit ?? "Fixtures")" }
    if let variable { return variable }
    throw FixtureError(
      .configuration,
      fixture: explicit ?? "Fixtures",
      """
      there is no Package.swift in the folders above \(filePath); set \(Self.variable) to the folder of the \
      fixtures, or name it in the test
      """
    )
  }

  /// The nearest folder above a file that holds a package.
  private static func package(of filePath: String) -> String? {
    var folder = filePath[...]
    while let end = folder.lastIndex(of: "/") {
      folder = folder[..<end]
      if FileManager.default.fileExists(atPath: "\(folder)/Package.swift") { return String(folder) }
    }
    return nil
  }

  /// The folder of a name below the root.
  ///
  /// - Throws: ``FixtureError`` if the name leads out of the root.
  func folder(of name: String) throws(FixtureError) -> String {
    guard !name.isEmpty else { return path }
    let isSafe = name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.first != "." && !part.utf8.contains { $0 < 0x20 || $0 == 0x7f }
    }
    guard isSafe else {
      throw FixtureError(
        .configuration,
        fixture: name,
        "the name of a fixture is a path below its root, without \"..\" and names that begin with a dot"
      )
    }
    return "\(path)/\(name)"
  }
}
