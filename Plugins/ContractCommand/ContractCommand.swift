import Foundation
import PackagePlugin

/// `swift package contract VERB`: runs `stagecoach contract VERB` in the folder of the package.
@main
struct ContractCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    // Without folders, the checks take those of the package.
    var arguments = arguments
    let takesFolders = ["lint", "format", "status"]
    if let verb = arguments.first, takesFolders.contains(verb),
      !arguments.dropFirst().contains(where: { !$0.hasPrefix("-") })
    {
      arguments.append("Fixtures")
    }
    let tool = Process()
    tool.executableURL = try context.tool(named: "StagecoachTool").url
    tool.arguments = ["contract"] + arguments
    tool.currentDirectoryURL = context.package.directoryURL
    try tool.run()
    tool.waitUntilExit()
    guard tool.terminationStatus == 0 else { throw ContractFailure(status: tool.terminationStatus) }
  }
}

/// The command failed, and has said why.
struct ContractFailure: Error, CustomStringConvertible {
  let status: Int32

  var description: String { "stagecoach ended with status \(status)" }
}
