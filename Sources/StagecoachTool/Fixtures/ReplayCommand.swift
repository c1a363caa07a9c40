#if Tool
  import ArgumentParser
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import StagecoachOrigin

  /// `stagecoach replay`: a server that answers from a scenario.
  struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "replay",
      abstract: "Answer requests from a recorded scenario.",
      discussion: """
        A request that no exchange answers gets 500, with the recorded requests that are most like it. Recorded failures \
        end the connection. /__contract/journal lists the exchanges that answered, /__contract/unused those that did \
        not, and a POST to /__contract/reset forgets both. \(ListeningArguments.pace) Ends with 0 on SIGINT and SIGTERM.
        """
    )

    @Argument(help: ArgumentHelp("The folder of the scenario, or a Pact file (.json).", valueName: "folder"))
    var folder: String

    @Flag(help: "Hand out the chunks of bodies at the recorded times.")
    var timing = false

    @OptionGroup var listening: ListeningArguments

    func run() async throws {
      let replay =
        folder.hasSuffix(".json")
        ? try ReplayTransport(pact: folder)
        : try ReplayTransport(folder: folder, timing: timing ? .recorded(factor: 1) : .immediate)
      let answers = ReplayAnswers(replay)
      let services = replay.scenario.origins.compactMap { try? TargetURI(parsing: $0.origin) }
      try await listening.serve(standingFor: services) { places in
        { request in
          if let refusal = ProxyRefusal.answer(request, at: places, prefix: "") { return refusal }
          if let response = replay.control(request) { return response }
          return try await answers.answer(request) { StandardError.write("stagecoach: \($0)\n") }
        }
      }
    }
  }

  extension ReplayTransport {
    /// Answers a request to the control interface; `nil` if it is for another path.
    fileprivate func control(_ request: Request) -> Response? {
      switch (request.method, request.head.path) {
      case (.get, "/__contract/journal"): return Self.text(answered.map { $0 + "\n" }.joined())
      case (.get, "/__contract/unused"): return Self.text(unused.map { $0 + "\n" }.joined())
      case (.post, "/__contract/reset"):
        reset()
        return Response(.noContent)
      default: return nil
      }
    }

    private static func text(_ text: String) -> Response {
      Response(.ok, fields: [.contentType: "text/plain; charset=utf-8"], body: .bytes(Bytes(text)))
    }
  }
#endif
