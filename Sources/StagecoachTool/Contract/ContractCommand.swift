#if Tool
  import ArgumentParser

  /// `stagecoach contract`: work on recorded and published contracts, without a network.
  struct ContractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "contract",
      abstract: "Make, check, compare, import and export scenarios, and judge published contract cases.",
      subcommands: [
        NewCommand.self, StatusCommand.self, FormatCommand.self, LintCommand.self, DiffCommand.self,
        ImportCommand.self, ExportCommand.self, CheckCaseCommand.self,
      ]
    )
  }
#endif
