import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The scenario in the folder of a fixture, if there is one.
struct StoredFixture: Sendable {
  let folder: String

  var manifest: String { ScenarioFolders.manifest(in: folder) }

  var exists: Bool { FileManager.default.fileExists(atPath: manifest) }

  /// Reads the scenario; `nil` if there is none yet.
  ///
  /// - Throws: ``ScenarioError``.
  func report() async throws -> FixtureReport? {
    try await BlockingQueue.files.run {
      guard exists else { return nil }
      let scenario = try Scenario(folder: folder)
      let content = FileManager.default.contents(atPath: manifest).map { [UInt8]($0) } ?? []
      return FixtureReport(scenario, manifest: manifest, content: content)
    }
  }

  /// Compares the files of the scenario with those of the build.
  ///
  /// - Throws: ``FixtureError``.
  func check(_ index: FixtureIndex) async throws {
    try await BlockingQueue.files.run { try index.check(folder) }
  }
}

/// A folder for a recording that is not kept.
struct ScratchFolder: Sendable {
  let path: String

  init() {
    path = "\(FileManager.default.temporaryDirectory.path)/stagecoach-\(UUID().uuidString)"
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
