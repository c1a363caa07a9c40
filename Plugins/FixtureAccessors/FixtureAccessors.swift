import Foundation
import PackagePlugin

/// Generates constants for the scenarios in the folder of a target, as an extension of `Fixtures`.
@main
struct FixtureAccessors: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL
    let output = context.pluginWorkDirectoryURL.appending(path: "FixtureAccessors.swift")
    return [
      .buildCommand(
        displayName: "Reading the fixtures of \(target.name)",
        executable: try context.tool(named: "StagecoachFixturesGenerator").url,
        arguments: ["accessors", folder.path(percentEncoded: false), output.path(percentEncoded: false)],
        inputFiles: files(in: folder),
        outputFiles: [output]
      )
    ]
  }

  private func files(in folder: URL) -> [URL] {
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
