import Foundation
import PackagePlugin

/// `swift package contract-live record|verify`: runs the verb of the tool in the folder of the package.
///
/// Without a terminal it needs `--allow-network-connections all --allow-writing-to-package-directory`.
@main
struct ContractLiveCommand: CommandPlugin {
  private static let verbs = ["record", "verify"]

  func performCommand(context: PluginContext, arguments: [String]) throws {
    guard let verb = arguments.first, Self.verbs.contains(verb) else {
      throw ContractFailure(description: "expected one of the verbs \(Self.verbs.joined(separator: ", "))")
    }
    try StagecoachTool.run(arguments, in: context, packageManager)
  }
}
