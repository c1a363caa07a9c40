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
        not, and a POST to /__contract/reset forgets both.

        A request is for the recorded service that its Host names, as it does behind `curl --connect-to` or a changed \
        name service, and otherwise for the first one. What is served is printed. \(ListeningArguments.hosts)

        \(ListeningArguments.pace) Ends with 0 on SIGINT and SIGTERM.
        """
    )

    @Argument(
      help: ArgumentHelp(
        "The folder of the scenario, a Pact file (.json) or a HAR file (.har).",
        valueName: "folder"
      )
    )
    var folder: String

    @Flag(help: "Hand out the chunks of bodies at the recorded times.")
    var timing = false

    @Option(help: ArgumentHelp("Serve this service only, for every host that is answered.", valueName: "url"))
    var origin: String?

    @OptionGroup var listening: ListeningArguments

    func run() async throws {
      let replay = try await makeReplay()
      let answers = try ReplayAnswers(replay, origin: origin)
      let services = answers.services.compactMap { try? TargetURI(parsing: $0.url) }
      try await listening.serve(standingFor: services, notes: notes(answers, replay)) { served in
        { request in
          if let refusal = ProxyRefusal.answer(request, prefix: "") { return refusal }
          if let response = replay.control(request, served) { return response }
          if let refusal = served.crossSiteRefusal(of: request, allowingNavigation: true) { return refusal }
          return try await answers.answer(request) { StandardError.write("stagecoach: \($0)\n") }
        }
      }
    }
  }

  extension ReplayCommand {
    private func makeReplay() async throws -> ReplayTransport {
      let timing: ReplayTransport.Timing = self.timing ? .recorded(factor: 1) : .immediate
      if folder.hasSuffix(".json") { return try ReplayTransport(pact: folder) }
      guard folder.hasSuffix(".har") else { return try ReplayTransport(folder: folder, timing: timing) }
      let imported = try await ImportCommand.read(folder, RedactionOptions())
      for note in imported.notes { StandardError.write("stagecoach: \(Format.oneLine(note))\n") }
      return try ReplayTransport(imported.scenario, timing: timing)
    }

    /// The lines that say what is served.
    private func notes(_ answers: ReplayAnswers, _ replay: ReplayTransport) -> [String] {
      replay.scenario.services.filter { answers.services.contains($0.service) }.enumerated().map {
        index,
        entry in
        let count = entry.exchanges == 1 ? "1 exchange" : "\(entry.exchanges) exchanges"
        let host = entry.service.authority
        return
          "serving \(entry.service.url): \(count)\(index == 0 ? "" : ", for requests with Host: \(host)")"
      }
    }
  }

  extension ReplayTransport {
    /// Answers a request to the control interface; `nil` if it is for another path.
    fileprivate func control(_ request: Request, _ served: ServedAuthorities) -> Response? {
      guard request.head.path?.hasPrefix("/__contract/") == true else { return nil }
      if let refusal = served.crossSiteRefusal(of: request) { return refusal }
      switch (request.method, request.head.path) {
      case (.get, "/__contract/journal"): return Self.text(answered)
      case (.get, "/__contract/unused"): return Self.text(unused)
      case (.post, "/__contract/reset"):
        reset()
        return Response(.noContent)
      default: return nil
      }
    }

    private static func text(_ lines: [String]) -> Response {
      let text = lines.map { Format.oneLine($0) + "\n" }.joined()
      return Response(.ok, fields: [.contentType: "text/plain; charset=utf-8"], body: .bytes(Bytes(text)))
    }
  }
#endif
