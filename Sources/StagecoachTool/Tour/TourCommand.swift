#if Tool
  import ArgumentParser
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin

  /// `stagecoach tour`: a story in steps, with real requests to a service in the process.
  struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tour",
      abstract: "See a client composed step by step, with real requests.",
      discussion: """
        Starts a small service in this process and sends it requests. Each step shows the Swift that matters, what \
        was sent, what the stages did, what came, and why. The exit code is 0 if all went as told, otherwise 1.
        """
    )

    @Argument(help: ArgumentHelp("Only this step, from 1 to \(TourStep.all.count).", valueName: "step"))
    var number: Int?

    @Flag(help: "Let the service answer each request with 404, to see that the tour notices.")
    var fault = false

    func validate() throws {
      guard let number, !steps.contains(number) else { return }
      throw ValidationError("there is no step \(number), only \(steps.lowerBound) to \(steps.upperBound)")
    }

    private var steps: ClosedRange<Int> { 1...TourStep.all.count }

    func run() async throws {
      let service = try await TourService(isFaulty: fault)
      let server = try await HandlerServer.start { service.answer($0) }
      let transport = AsyncHTTPClientTransport()
      let palette = Palette(isTerminal: StandardOutput.isTerminal)
      let tour = Tour(service: service, url: server.url, transport: transport, palette: palette)
      let isAsTold: Result<Bool, any Error>
      do {
        isAsTold = .success(try await tour.run(number.map { $0...$0 } ?? steps))
      } catch {
        isAsTold = .failure(error)
      }
      await transport.shutdown()
      await server.stop(patience: .zero)
      guard try isAsTold.get() else { throw ExitStatus.refused }
    }
  }
#endif
