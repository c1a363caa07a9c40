#if Tool
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin

  /// Runs the steps one after the other and prints what happened.
  struct Tour {
    /// The maximum number of exchanges shown for a step.
    private static let shownExchanges = 4

    let steps: [TourStep]
    let palette: Palette
    private let output = VerdictOutput()

    init(steps: [TourStep], palette: Palette) {
      self.steps = steps
      self.palette = palette
    }

    /// Runs all steps against an origin.
    ///
    /// - Returns: Whether everything was as expected.
    /// - Throws: `CancellationError`; `OriginError` if the origin cannot be started.
    func run(_ configuration: Origin.Configuration) async throws -> Bool {
      let origin = try await Origin.start(configuration)
      let transport = AsyncHTTPClientTransport()
      do {
        let failed = try await run(origin, transport)
        await transport.shutdown()
        try await origin.stop()
        return failed.isEmpty
      } catch {
        await transport.shutdown()
        try? await origin.stop()
        throw error
      }
    }

    private func run(_ origin: Origin, _ transport: AsyncHTTPClientTransport) async throws -> [TourStep] {
      let start = ContinuousClock.now
      var failed: [TourStep] = []
      var checks = 0
      try await write(palette.bold("stagecoach tour") + ", server at \(origin.url)\n")
      for (index, step) in steps.enumerated() {
        origin.clearRequests()
        let context = try TourContext(origin: origin, transport: transport)
        let started = ContinuousClock.now
        await context.attempt(step)
        try Task.checkCancellation()
        checks += context.checks.count
        if !context.hasPassed { failed.append(step) }
        try await show(step, number: index + 1, context, after: ContinuousClock.now - started)
      }
      try await summarize(failed, checks: checks, after: ContinuousClock.now - start)
      return failed
    }

    // MARK: Printing

    private func show(
      _ step: TourStep,
      number: Int,
      _ context: TourContext,
      after time: Duration
    ) async throws {
      let mark = context.hasPassed ? palette.green("passed") : palette.red("FAILED")
      let name = palette.bold(step.name.padded(to: TourStep.nameWidth))
      var lines = ["", "\("\(number)".aligned(to: 2))  \(name)  \(mark) \(palette.dim(time.text))"]
      lines.append("    \(step.title)")
      lines += timeline(context.log.events).map { "    \($0)" }
      lines += context.checks.map { check in
        guard !check.hasPassed else {
          return "    \(palette.green("✓")) \(check.what): \(check.actual.oneLine.shortened(to: 100))"
        }
        return "    \(palette.red("✗")) \(check.what): \(check.actual.oneLine.shortened(to: 400))"
          + palette.red(", expected \(check.expected.oneLine.shortened(to: 400))")
      }
      try await write(lines.joined(separator: "\n"))
    }

    private func timeline(_ events: [Event]) -> [String] {
      var exchanges: [[Event]] = []
      for event in events {
        if let index = exchanges.firstIndex(where: { $0.first?.exchange == event.exchange }) {
          exchanges[index].append(event)
        } else {
          exchanges.append([event])
        }
      }
      var lines = exchanges.prefix(Self.shownExchanges).flatMap {
        Timeline.lines(of: $0.sorted { $0.sequence < $1.sequence }, palette: palette)
      }
      let hidden = exchanges.count - Self.shownExchanges
      if hidden > 0 { lines.append(palette.dim("          and \(hidden) more of the kind")) }
      return lines
    }

    private func summarize(_ failed: [TourStep], checks: Int, after time: Duration) async throws {
      let passed = steps.count - failed.count
      let summary = "\(passed) of \(steps.count) steps passed, \(checks) checks, \(time.text)"
      guard failed.isEmpty else {
        let names = failed.map(\.name).joined(separator: ", ")
        return try await write("\n" + palette.red("\(summary); failed: \(names)"))
      }
      try await write("\n" + palette.green(summary))
    }

    private func write(_ text: String) async throws {
      try await output.write(text)
    }
  }

  extension String {
    fileprivate func shortened(to length: Int) -> String {
      count > length ? prefix(length) + "…" : self
    }
  }
#endif
