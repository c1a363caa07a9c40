import Foundation
import PackagePlugin

/// The command-line tool, built when it is asked for: as a dependency of a plug-in it would be compiled in every build.
enum StagecoachTool {
  static func run(_ arguments: [String], in context: PluginContext, _ manager: PackageManager) throws {
    let build = try manager.build(.product("stagecoach"), parameters: .init())
    let artifact = build.builtArtifacts.first { $0.url.lastPathComponent == "stagecoach" }
    guard build.succeeded, let artifact else {
      throw ContractFailure(description: "the tool was not built:\n\(build.logText)")
    }
    let tool = Process()
    tool.executableURL = artifact.url
    tool.arguments = arguments
    tool.currentDirectoryURL = context.package.directoryURL
    try tool.run()
    tool.waitUntilExit()
    guard tool.terminationStatus == 0 else {
      throw ContractFailure(description: "stagecoach ended with status \(tool.terminationStatus)")
    }
  }
}

/// Why the command failed.
struct ContractFailure: Error, CustomStringConvertible {
  let description: String
}
