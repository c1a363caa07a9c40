#if Tool
  import ArgumentParser
  import Foundation
  import StagecoachCore
  import StagecoachFixtures

  /// `stagecoach contract export`: writes a scenario for another tool.
  struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write a scenario as a HAR file, a Pact file or WireMock mappings.",
      discussion: """
        Prints a line for each thing that the format cannot hold. An existing file is replaced, except a Pact file: \
        interactions are added to it, and it is an error if it has one with the same description and other content.
        """
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

    @Option(
      help: ArgumentHelp(
        "The name of the consumer in a Pact file; \"consumer\" by default.",
        valueName: "name"
      )
    )
    var consumer = "consumer"

    @Option(
      help: ArgumentHelp("The name of the provider in a Pact file; by default the host.", valueName: "name")
    )
    var provider: String?

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
      if format == .pact { return try await addToPactFile() }
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

    private func addToPactFile() async throws {
      let losses = try await BlockingQueue.files.run { [folder, file, consumer, provider, strict] in
        let scenario = try Scenario(folder: folder)
        let (contract, losses) = try PactFile.contract(
          of: scenario,
          consumer: consumer,
          provider: provider ?? scenario.host ?? "provider"
        )
        guard !strict || losses.isEmpty else { return losses }
        return losses + (try contract.write(to: file, as: .v4))
      }
      let output = VerdictOutput()
      for loss in losses { try await output.write(Format.oneLine(loss)) }
      guard !strict || losses.isEmpty else { throw ExitStatus.refused }
    }
  }

  extension Scenario {
    /// The host that the first exchange is with.
    fileprivate var host: String? {
      guard let target = exchanges.first?.request.target, let url = url(of: target) else { return nil }
      return try? TargetURI(parsing: url).host
    }
  }
#endif
