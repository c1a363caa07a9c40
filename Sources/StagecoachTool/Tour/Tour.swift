#if Tool
  import Foundation
  import Stagecoach

  /// Runs steps one after the other, and compares what happened with what is told.
  struct Tour {
    let service: TourService
    /// The URL of the service.
    let url: String
    let transport: any Transport
    let palette: Palette

    /// Runs the steps with these numbers, from 1, and prints them.
    ///
    /// - Returns: Whether all went as told.
    /// - Throws: `CancellationError`; `ExchangeError` of kind `file`.
    func run(_ numbers: ClosedRange<Int>) async throws -> Bool {
      let output = VerdictOutput()
      try await output.write(
        """
        \(palette.bold("A client for a coach company, composed in \(TourStep.all.count) steps."))
        The company's service runs in this process, at \(url).
        │ Swift   → sent   ← received   = result   in between: what a stage did
        """
      )
      var failed: [Int] = []
      for number in numbers {
        let step = TourStep.all[number - 1]
        let lines = try await lines(of: step)
        if lines != step.told.lines { failed.append(number) }
        try await output.write(text(of: step, number, lines))
      }
      let names = failed.map { "\($0)" }.joined(separator: ", ")
      let passed = "\(numbers.count - failed.count) of \(numbers.count) steps went as told"
      try await output.write(
        "\n" + (failed.isEmpty ? palette.green(passed) : palette.red("\(passed); not so: \(names)"))
      )
      return failed.isEmpty
    }

    /// Runs a step.
    ///
    /// - Returns: The lines that it noted, with the error that it ended with, if any.
    private func lines(of step: TourStep) async throws -> [String] {
      let files = FileManager.default
      let folder = files.temporaryDirectory.appending(path: "stagecoach-tour-\(UUID().uuidString)")
      try files.createDirectory(at: folder, withIntermediateDirectories: false)
      defer { try? files.removeItem(at: folder) }
      let notes = TourNotes(url: url, showsStages: step.showsStages)
      let wire = TourWire(transport: transport, notes: notes, fields: step.fields)
      let run = TourRun(service: service, url: url, folder: folder.path, transport: wire, notes: notes)
      do {
        try await step.run(run)
      } catch {
        try Task.checkCancellation()
        notes.add("! \(error)")
      }
      return notes.lines
    }

    private func text(of step: TourStep, _ number: Int, _ lines: [String]) -> String {
      var text = ["", palette.bold("\("\(number)".aligned(to: 2))  \(step.title)")]
      text += step.code.lines.map { "    \(palette.dim("│")) \($0)" }
      text += lines.map { "    \(painted($0))" }
      if lines != step.told.lines {
        text.append(palette.red("    ✗ told is:"))
        text += step.told.lines.map { "      \(palette.red($0))" }
      }
      text.append("")
      text += step.why.lines.map { "    \(palette.dim($0))" }
      return text.joined(separator: "\n")
    }

    private func painted(_ line: String) -> String {
      switch line.first {
      case "→": palette.bold(line)
      case "←": line.hasPrefix("← 2") ? palette.green(line) : palette.yellow(line)
      case "=": palette.cyan(line)
      case "!": palette.red(line)
      default: line
      }
    }
  }

  extension String {
    fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
  }
#endif
