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
        not, and a POST to /__contract/reset forgets both. Ends with 0 on SIGINT and SIGTERM.
        """
    )

    @Argument(help: ArgumentHelp("The folder of the scenario.", valueName: "folder"))
    var folder: String

    @Flag(help: "Hand out the chunks of bodies at the recorded times.")
    var timing = false

    @OptionGroup var listening: ListeningArguments

    func run() async throws {
      let replay = try ReplayTransport(folder: folder, timing: timing ? .recorded(factor: 1) : .immediate)
      let server = ReplayServer(replay)
      try await listening.serve { try await server.answer($0) }
    }
  }

  /// Answers requests to a server from a scenario.
  struct ReplayServer: Sendable {
    private let replay: ReplayTransport
    private let pipeline: Pipeline
    /// What stands before the target of a request: the first origin of the scenario, for a server has only one.
    private let base: String

    init(_ replay: ReplayTransport) {
      self.replay = replay
      pipeline = Pipeline(over: replay) {}
      base = replay.scenario.origins.first?.origin ?? "http://localhost"
    }

    func answer(_ request: Request) async throws -> Response {
      let path = request.head.path ?? "/"
      if let response = control(request.method, path) { return response }
      var copy = Request(request.method, base + path, fields: request.fields, body: request.body)
      copy.options = request.options
      do {
        var response = try await pipeline.send(copy)
        response.fields = UpstreamFields.local(response.fields, base: base)
        return response
      } catch let error as ExchangeError {
        guard case .stageFailure = error.kind else { throw error }
        StandardError.write("stagecoach: \(error.message)\n")
        return Self.text(error.message + "\n", .internalServerError)
      }
    }

    private func control(_ method: HTTPRequest.Method, _ path: String) -> Response? {
      switch (method, path) {
      case (.get, "/__contract/journal"): return Self.text(replay.answered.map { $0 + "\n" }.joined())
      case (.get, "/__contract/unused"): return Self.text(replay.unused.map { $0 + "\n" }.joined())
      case (.post, "/__contract/reset"):
        replay.reset()
        return Response(.noContent)
      default: return nil
      }
    }

    private static func text(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
      Response(status, fields: [.contentType: "text/plain; charset=utf-8"], body: .bytes(Bytes(text)))
    }
  }
#endif
