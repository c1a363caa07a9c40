import Foundation
import PackagePlugin

/// `swift package contract-live record|verify`: runs the verb of the tool in the folder of the package.
@main
struct ContractLiveCommand: CommandPlugin {
  private static let verbs = ["record", "verify"]

  func performCommand(context: PluginContext, arguments: [String]) throws {
    guard let verb = arguments.first, Self.verbs.contains(verb) else {
      throw ContractFailure(description: "expected one of the verbs \(Self.verbs.joined(separator: ", "))")
    }
    let tool = Process()
    tool.executableURL = try context.tool(named: "StagecoachTool").url
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
