#if Tool
  import ArgumentParser
  import StagecoachCore
  import StagecoachFixtures

  /// `stagecoach contract lint`: checks scenarios before they are committed.
  struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "lint",
      abstract: "Check scenarios: their format, their files, and that they hold no secrets.",
      discussion: """
        Looks for scenarios in the folders and below them. Prints a line for each finding, FILE:LINE: TEXT. The exit \
        code is 0 if there are none, otherwise 1.

        \(RedactionArguments.discussion)

        The conditions of rules, with the members that they take:
        \(Matcher.conditions.map { "  \($0.name): \($0.text)" }.joined(separator: "\n"))
        """
    )

    @Argument(help: ArgumentHelp("The folders.", valueName: "folder"))
    var folders: [String]

    @Flag(help: "First replace secrets as a recording does, in place. All else in the files stays as it is.")
    var fix = false

    @OptionGroup(title: "Secrets") var redaction: RedactionArguments

    func run() async throws {
      let output = VerdictOutput()
      let options = try redaction.options()
      if fix { try await redact(options, output) }
      var (findings, count) = (0, 0)
      for folder in folders {
        let lint = try await BlockingQueue.files.run { try ScenarioLint(folder: folder, options) }
        for finding in lint.findings { try await output.write(finding) }
        findings += lint.findings.count
        count += lint.scenarios
      }
      try await output.write("\(count) scenarios, \(findings) findings")
      guard findings == 0 else { throw ExitStatus.refused }
    }

    private func redact(_ options: RedactionOptions, _ output: VerdictOutput) async throws {
      var isChanged = false
      for folder in folders {
        let fix = try await BlockingQueue.files.run { try ScenarioFix.redact(below: folder, options) }
        for line in fix.lines { try await output.write(Format.oneLine(line)) }
        isChanged = isChanged || fix.isChanged
      }
      guard isChanged else { return }
      try await output.write(
        "the history of the repository still has what was replaced: revoke these secrets, or rewrite the history"
      )
    }
  }
#endif
