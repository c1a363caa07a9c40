#if Tool
  import ArgumentParser
  import Foundation
  import StagecoachCore
  import StagecoachFixtures
  import StagecoachScenarios

  /// `stagecoach contract status`: lists scenarios and their age.
  struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "List scenarios: their exchanges, when they were recorded, and whether they are expired.",
      discussion: """
        Looks for scenarios in the folders and below them. The exit code is 1 if one of them is expired, otherwise 0.
        """
    )

    @Argument(help: ArgumentHelp("The folders.", valueName: "folder"))
    var folders: [String]

    func run() async throws {
      let output = VerdictOutput()
      let now = SystemTime().date
      var expired = 0
      for folder in folders {
        for name in try await BlockingQueue.files.run({ try ScenarioFolders.names(below: folder) }) {
          let place = name.isEmpty ? folder : "\(folder)/\(name)"
          let scenario = try await BlockingQueue.files.run { try Scenario(folder: place) }
          if scenario.expires.map({ $0 < now }) == true { expired += 1 }
          try await output.write(line: "\(place): \(Self.text(of: scenario, at: now))")
        }
      }
      guard expired == 0 else { throw ExitStatus.refused }
    }

    private static func text(of scenario: Scenario, at now: Date) -> String {
      let count = scenario.exchanges.count
      var parts = ["\(count) \(count == 1 ? "exchange" : "exchanges")"]
      if let date = scenario.recording?.date {
        let days = Int((now.timeIntervalSince(date) / 86_400).rounded(.down))
        parts.append("recorded on \(day(date)), \(days) \(days == 1 ? "day" : "days") ago")
      } else {
        parts.append("written by hand")
      }
      if let expires = scenario.expires {
        parts.append("\(expires < now ? "expired" : "expires") on \(day(expires))")
      }
      let bodies = scenario.exchanges.flatMap { [$0.request.body, $0.reply.body] }
      let missing = bodies.count { $0?.omission != nil }
      if missing > 0 { parts.append("\(missing) \(missing == 1 ? "content" : "contents") not recorded") }
      let omitted = scenario.exchanges.count { $0.omission != nil }
      if omitted > 0 { parts.append("\(omitted) \(omitted == 1 ? "exchange" : "exchanges") not recorded") }
      return parts.joined(separator: ", ")
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
  }
#endif
