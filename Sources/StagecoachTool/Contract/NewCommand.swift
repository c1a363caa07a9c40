#if Tool
  import ArgumentParser
  import Foundation
  import HTTPTypes
  import StagecoachCore
  import StagecoachFixtures
  import StagecoachScenarios

  /// `stagecoach contract new`: writes a scenario to start from.
  struct NewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new",
      abstract: "Write a scenario with one exchange, to be completed by hand.",
      discussion: "The exchange is a GET of the URL that is answered with an empty JSON object."
    )

    @Argument(
      help: ArgumentHelp("The folder of the scenario, which must not hold one yet.", valueName: "folder")
    )
    var folder: String

    @Option(help: "The URL of the request.")
    var url: String

    func run() async throws {
      let target: TargetURI
      do {
        target = try TargetURI(parsing: url)
      } catch {
        throw ValidationError("--url is not a URL: \(error)")
      }
      let scheme = target.isSecure ? "https" : "http"
      var scenario = Scenario(title: folder.split(separator: "/").last.map(String.init))
      scenario.origins = [.init(name: "api", origin: "\(scheme)://\(target.authority)")]
      let head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
      var body = Scenario.Body("{}", type: "application/json")
      body.form = .pretty
      scenario.exchanges = [
        Scenario.Exchange(
          id: "01",
          request: Scenario.Request("GET", "{api}\(target.requestTarget)"),
          reply: Scenario.Reply(Scenario.Head(head), body: body)
        )
      ]
      try await BlockingQueue.files.run { [folder, scenario] in
        let manifest = ScenarioFolders.manifest(in: folder)
        guard !FileManager.default.fileExists(atPath: manifest) else {
          throw ScenarioError(.file, file: manifest, "there is a scenario already")
        }
        try scenario.write(folder: folder)
      }
    }
  }
#endif
