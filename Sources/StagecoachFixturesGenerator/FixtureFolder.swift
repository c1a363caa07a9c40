import StagecoachFormats
import StagecoachScenarios

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The scenarios in a folder of fixtures.
struct FixtureFolder {
  struct Entry {
    /// The path below the folder.
    let name: String
    let scenario: Scenario
    let manifest: String
    /// The lines of the exchanges in the manifest.
    let lines: [Int]
    /// The files of the scenario below its folder, with their SHA-256.
    let digests: [(file: String, digest: String)]
  }

  let path: String
  /// Sorted by name.
  let entries: [Entry]

  /// - Throws: ``GeneratorFailure`` with a line for each scenario that is malformed.
  init(_ path: String) throws {
    let end = path.lastIndex { $0 != "/" }
    let path = end.map { String(path[...$0]) } ?? path
    self.path = path
    let names: [String]
    do {
      names = try ScenarioFolders.names(below: path)
    } catch let error as ScenarioError {
      throw GeneratorFailure(file: error.file, line: 1, error.message)
    }
    var entries: [Entry] = []
    var failures: [String] = []
    for name in names {
      guard !name.isEmpty else {
        failures.append(
          "\(ScenarioFolders.manifest(in: path)):1: error: a scenario lies in a folder of its own"
        )
        continue
      }
      do {
        entries.append(try Self.entry(name, in: path))
      } catch let failure as GeneratorFailure {
        failures += failure.lines
      }
    }
    guard failures.isEmpty else { throw GeneratorFailure(failures) }
    self.entries = entries
  }

  /// The declaration of a constant with the SHA-256 of each file, by its path below the folder.
  func indexLines(declaredAs access: String) -> [String] {
    let files = entries.flatMap(\.digests)
    return ["  \(access) static let index: [String: String] = ["]
      + files.map { "    \(SwiftText.literal($0.file)): \"\($0.digest)\"," }
      + (files.isEmpty ? ["    :"] : []) + ["  ]"]
  }

  private static func entry(_ name: String, in root: String) throws -> Entry {
    let folder = "\(root)/\(name)"
    let manifest = ScenarioFolders.manifest(in: folder)
    let content = [UInt8](FileManager.default.contents(atPath: manifest) ?? Data())
    do {
      let scenario = try Scenario(folder: folder)
      let bodies = Set(scenario.bodyFiles).sorted().map { file in
        let bytes = [UInt8](FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data())
        return (file: "\(name)/\(file)", digest: SHA256.hash(bytes).hexadecimal)
      }
      return Entry(
        name: name,
        scenario: scenario,
        manifest: manifest,
        lines: ManifestLines.lines(ofElementsOf: "exchanges", in: content),
        digests: [(file: "\(name)/scenario.json", digest: SHA256.hash(content).hexadecimal)] + bodies
      )
    } catch let error as ScenarioError {
      throw GeneratorFailure(error, manifest: manifest, content: content)
    }
  }
}
