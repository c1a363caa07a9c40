import Foundation
import PackagePlugin

/// Generates a test for each exchange of the fixtures that a test target depends on. Each test sends the recorded request
/// to what the target's own function returns:
///
/// ```text
/// func contractSubject() async throws -> any Transport
/// ```
///
/// A function of the target `contractStates() -> [String: ProviderStateHandler]`, which may be async and throw, sets up the
/// states that exchanges require.
@main
struct FixtureContractTests: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let generator = try context.tool(named: "StagecoachFixturesGenerator").url
    let fixtures = dependencies(of: target).map { ($0, scenarioFiles(in: $0.directoryURL)) }
      .filter { $0.1.contains { $0.lastPathComponent == "scenario.json" } }
    guard fixtures.count == 1, let (folder, files) = fixtures.first else {
      let names = fixtures.map(\.0.name).joined(separator: ", ")
      Diagnostics.error(
        fixtures.isEmpty
          ? "\(target.name) depends on no target with scenarios"
          : "\(target.name) depends on several targets with scenarios: \(names); one test target for each is needed"
      )
      return []
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedContractTests.swift")
    let path = folder.directoryURL.path(percentEncoded: false)
    return [
      .buildCommand(
        displayName: "Generating the contract tests of \(target.name)",
        executable: generator,
        arguments: ["contract-tests", path, output.path(percentEncoded: false)],
        inputFiles: files,
        outputFiles: [output]
      )
    ]
  }

  /// The targets that a target depends on itself, without those of other packages' products that are not fixtures.
  private func dependencies(of target: any Target) -> [any Target] {
    target.dependencies.flatMap { dependency -> [any Target] in
      switch dependency {
      case .target(let target): [target]
      case .product(let product): product.targets
      @unknown default: []
      }
    }
  }

  private func scenarioFiles(in folder: URL) -> [URL] {
    let walk = FileManager.default.enumerator(
      at: folder,
      includingPropertiesForKeys: [.isRegularFileKey],
      options: .skipsHiddenFiles
    )
    let files = (walk?.allObjects ?? []).compactMap { $0 as? URL }
    return files.filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
      .sorted { $0.path < $1.path }
  }
}
