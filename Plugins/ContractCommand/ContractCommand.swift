import Foundation
import PackagePlugin

/// `swift package contract VERB`: runs `stagecoach contract VERB` in the folder of the package.
@main
struct ContractCommand: CommandPlugin {
  /// The verbs that take folders, by default that of the package's fixtures.
  private static let folderVerbs = ["lint", "format", "status"]

  func performCommand(context: PluginContext, arguments: [String]) throws {
    var arguments = arguments
    if let verb = arguments.first, Self.folderVerbs.contains(verb),
      !arguments.dropFirst().contains(where: { !$0.hasPrefix("-") })
    {
      arguments.append("Fixtures")
    }
    try StagecoachTool.run(["contract"] + arguments, in: context, packageManager)
  }
}
