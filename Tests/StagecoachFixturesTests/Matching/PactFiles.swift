import Foundation

/// Folders of the Pact suites, which are not part of the repository.
enum PactFiles {
  /// The folder of the verdict cases.
  static let cases = folder("STAGECOACH_PACT_CASES", "pact-cases")
  /// The folder of the compatibility suite.
  static let compatibility = folder("STAGECOACH_PACT_COMPATIBILITY", "pact-compatibility")

  /// A folder from an environment variable, or of the data next to the package; `nil` if it does not exist.
  private static func folder(_ variable: String, _ name: String) -> URL? {
    let path =
      ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0) }
      ?? URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../shared/data/\(name)").standardized
    if FileManager.default.fileExists(atPath: path.path) { return path }
    print("NOT PRESENT: \(path.path), so its tests check nothing. Set \(variable) to the folder.")
    return nil
  }

  /// The paths of all files with an extension below a folder, relative to it and sorted.
  static func paths(in folder: URL?, withExtension suffix: String) -> [String] {
    guard let folder, let all = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else {
      return []
    }
    return all.filter { $0.hasSuffix("." + suffix) }.sorted()
  }

  static func contents(of path: String, in folder: URL?) throws -> [UInt8] {
    guard let folder else { return [] }
    return Array(try Data(contentsOf: folder.appending(path: path)))
  }
}
