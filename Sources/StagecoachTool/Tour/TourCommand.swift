#if Tool
  import ArgumentParser
  import StagecoachOrigin

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// `stagecoach tour`: real requests through all stages, against an origin in the process.
  struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tour",
      abstract: "Run every stage against a server in this process.",
      discussion: """
        Each step compares the requests that the server received and the responses with the expected ones. \
        The exit code is 0 if all steps passed, otherwise 1, with the names of the steps that failed.
        """
    )

    /// The environment variable that injects a fault if the option is absent.
    private static let variable = "STAGECOACH_ORIGIN_FAULT"

    @Option(
      help: ArgumentHelp(
        "Inject a fault into the server, to see which step detects it: "
          + Origin.Fault.allCases.map(\.rawValue).joined(separator: ", ")
          + ". Can also be set by the environment "
          + "variable \(variable).",
        valueName: "name"
      )
    )
    var fault: String?

    @Option(help: ArgumentHelp("Only run the steps whose name contains this text.", valueName: "text"))
    var only: String?

    @Flag(help: "Only list the names of the steps.")
    var list = false

    func run() async throws {
      let steps = TourStep.all.filter { step in only.map { step.name.contains($0) } ?? true }
      guard !steps.isEmpty else {
        throw ValidationError("no step has a name that contains \"\(only ?? "")\"")
      }
      guard !list else {
        for step in steps { print("\(step.name.padded(to: TourStep.nameWidth))  \(step.title)") }
        return
      }
      var configuration = Origin.Configuration()
      configuration.fault = try plantedFault.map { try Origin.Fault(named: $0) }
      let tour = Tour(steps: steps, palette: Palette(isTerminal: StandardOutput.isTerminal))
      guard try await tour.run(configuration) else { throw ExitStatus.refused }
    }

    private var plantedFault: String? {
      let name = fault ?? getenv(Self.variable).map { String(cString: $0) } ?? ""
      return name.isEmpty ? nil : name
    }
  }
#endif
