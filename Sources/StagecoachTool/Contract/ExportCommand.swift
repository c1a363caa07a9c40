#if Tool
  import ArgumentParser
  import Foundation
  import StagecoachCore
  import StagecoachFixtures
  import StagecoachScenarios

  /// `stagecoach contract export`: writes a scenario for another tool.
  struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write scenarios as HAR files, a Pact file or WireMock mappings.",
      discussion: """
        Looks for scenarios in the folder and below it. Several are written to one Pact file; in the other formats \
        --to is a folder then, which gets a file for each. Prints a line for each thing that the format cannot hold. \
        An existing file is replaced, except a Pact file: interactions are added to it, and it is an error if it has \
        one with the same description and other content.
        """
    )

    @Argument(help: ArgumentHelp("The folder of the scenarios.", valueName: "folder"))
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
      help: ArgumentHelp(
        "The name of the provider in a Pact file; by default the host of the first exchange.",
        valueName: "name"
      )
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
      let losses = try await BlockingQueue.files.run {
        let scenarios = try scenarios()
        return try format == .pact ? addToPactFile(scenarios) : write(scenarios)
      }
      let output = VerdictOutput()
      for loss in losses { try await output.write(line: loss) }
      guard !strict || losses.isEmpty else { throw ExitStatus.refused }
    }

    /// The scenarios with the paths of their folders below the given one. A file of exchanges is a scenario too.
    private func scenarios() throws -> [(name: String, scenario: Scenario)] {
      let isFile = (try? FileManager.default.contentsOfDirectory(atPath: folder)) == nil
      let names = isFile ? [] : try ScenarioFolders.names(below: folder)
      guard !names.isEmpty else { return [("", try Scenario(folder: folder))] }
      return try names.map { ($0, try Scenario(folder: $0.isEmpty ? folder : "\(folder)/\($0)")) }
    }

    /// - Returns: What is lost; nothing is written then if the flag says so.
    private func write(_ scenarios: [(name: String, scenario: Scenario)]) throws -> [String] {
      let exports = try scenarios.map { ($0.name, try format.export($0.scenario)) }
      let losses = exports.flatMap { name, export in
        Self.losses(export.losses, of: name, among: exports.count)
      }
      guard !strict || losses.isEmpty else { return losses }
      for (name, export) in exports {
        let ending = format == .har ? "har" : "json"
        // A scenario in the folder itself has no name.
        let place = exports.count == 1 ? file : "\(file)/\(name.isEmpty ? "scenario" : name).\(ending)"
        do {
          let url = URL(filePath: place)
          if exports.count > 1 {
            try FileManager.default.createDirectory(
              at: url.deletingLastPathComponent(),
              withIntermediateDirectories: true
            )
          }
          try Data(export.bytes).write(to: url, options: .atomic)
        } catch {
          throw ScenarioError(.file, file: place, "the file cannot be written: \(Format.describe(error))")
        }
      }
      return losses
    }

    private func addToPactFile(_ scenarios: [(name: String, scenario: Scenario)]) throws -> [String] {
      let provider = provider ?? scenarios.first?.scenario.host ?? "provider"
      var file = PactFile(consumer: consumer, provider: provider)
      var losses: [String] = []
      for (name, scenario) in scenarios {
        var scenario = scenario
        // Descriptions begin with the title.
        if scenarios.count > 1, scenario.title == nil { scenario.title = name }
        let (contract, lost) = try PactFile.contract(of: scenario, consumer: consumer, provider: provider)
        try file.merge(contract)
        losses += Self.losses(lost, of: name, among: scenarios.count)
      }
      guard !strict || losses.isEmpty else { return losses }
      return losses + (try file.write(to: self.file, as: .v4))
    }

    private static func losses(_ losses: [String], of name: String, among count: Int) -> [String] {
      count == 1 ? losses : losses.map { "\(name.isEmpty ? "scenario" : name): \($0)" }
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
