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

  /// `stagecoach tour`: real requests through every stage there is, against an origin of its own.
  struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tour",
      abstract: "See every stage at work, against a server in this process.",
      discussion: """
        Each step compares what the server saw and what came back with what is expected. The tour ends \
        with exit code 0 if all of it was as expected, else with 1 and the names of the steps that were \
        not.
        """
    )

    /// Plants a fault where the option does not.
    private static let variable = "STAGECOACH_ORIGIN_FAULT"

    @Option(
      help: ArgumentHelp(
        "Plant a mistake in the server, and see which step notices: "
          + Origin.Fault.allCases.map(\.rawValue).joined(separator: ", ") + ". Also by the environment "
          + "variable \(variable).",
        valueName: "name"
      )
    )
    var fault: String?

    @Option(help: ArgumentHelp("Only the steps whose name contains this.", valueName: "text"))
    var only: String?

    @Flag(help: "Only print the names of the steps.")
    var list = false

    func run() async throws {
      let steps = TourStep.all.filter { step in only.map { step.name.contains($0) } ?? true }
      guard !steps.isEmpty else { throw ValidationError("no step has a name with \"\(only ?? "")\"") }
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
