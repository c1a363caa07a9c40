#if Tool
  import ArgumentParser
  import Foundation
  import StagecoachCore
  import StagecoachFixtures

  /// `stagecoach contract export`: writes a scenario for another tool.
  struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write a scenario as a HAR file or WireMock mappings.",
      discussion: "Prints a line for each thing that the format cannot hold."
    )

    @Argument(help: ArgumentHelp("The folder of the scenario.", valueName: "folder"))
    var folder: String

    @Option(
      name: .customLong("as"),
      help: ArgumentHelp("The format: \(names).", valueName: "format"),
      transform: format
    )
    var format: InterchangeFormat

    @Option(name: .customLong("to"), help: ArgumentHelp("The file to write.", valueName: "file"))
    var file: String

    @Flag(help: "Write nothing if something would be lost, and end with 1.")
    var strict = false

    private static let names = InterchangeFormat.written.map(\.rawValue).joined(separator: " or ")

    private static func format(_ name: String) throws -> InterchangeFormat {
      guard let format = InterchangeFormat.written.first(where: { $0.rawValue == name }) else {
        throw ValidationError("unknown format \"\(name)\", expected \(names)")
      }
      return format
    }

    func run() async throws {
      let export = try await BlockingQueue.files.run { try format.export(Scenario(folder: folder)) }
      let output = VerdictOutput()
      for loss in export.losses { try await output.write(Format.oneLine(loss)) }
      guard !strict || export.losses.isEmpty else { throw ExitStatus.refused }
      try await BlockingQueue.files.run {
        do {
          try Data(export.bytes).write(to: URL(filePath: file), options: .atomic)
        } catch {
          throw ScenarioError(.file, file: file, "the file cannot be written: \(Format.describe(error))")
        }
      }
    }
  }
#endif
