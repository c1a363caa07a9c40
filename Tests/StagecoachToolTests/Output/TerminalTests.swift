#if Tool
  import Foundation
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  /// What a person at a terminal gets to see, and a file or pipe does not.
  @Suite struct TerminalTests {
    private static let escape = "\u{1b}"
    private static let clearing = "\r\u{1b}[K"

    /// What takes colour away from a terminal.
    private static let refusals = [["NO_COLOR": "1"], ["TERM": "dumb"]]

    // MARK: Colour

    @Test func aTourIsColouredOnATerminal() async throws {
      let outcome = try await ToolProcess.run("tour", "1", terminal: .output)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text.contains("\u{1b}[32m"))
      // Without its colours it is the text that a file gets.
      #expect(outcome.text.replacing(#/\u{1b}\[[0-9]+m/#, with: "").contains(Self.escape) == false)
    }

    @Test(arguments: refusals)
    func aTourIsPlainWhereColourIsRefused(environment: [String: String]) async throws {
      let outcome = try await ToolProcess.run(
        "tour",
        "1",
        environment: environment,
        terminal: .output
      )
      #expect(outcome.status == 0, "\(outcome)")
      #expect(!outcome.text.isEmpty && !outcome.text.contains(Self.escape))
    }

    @Test func anEmptyNoColorDoesNotRefuseColour() async throws {
      let outcome = try await ToolProcess.run(
        "tour",
        "1",
        environment: ["NO_COLOR": ""],
        terminal: .output
      )
      #expect(outcome.text.contains(Self.escape))
    }

    @Test func aTraceIsColouredOnATerminalAndTheBodyIsNot() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/json", "--trace", terminal: .errors)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.contains("\u{1b}["))
      #expect(outcome.text.hasPrefix("{\n") && !outcome.text.contains(Self.escape))
      try await origin.stop()
    }

    @Test(arguments: refusals)
    func aTraceIsPlainWhereColourIsRefused(environment: [String: String]) async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/json",
        "--trace",
        environment: environment,
        terminal: .errors
      )
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.contains("200 OK") && !outcome.errors.contains(Self.escape))
      try await origin.stop()
    }

    /// Each stream is looked at for itself.
    @Test func aTraceInAFileIsPlainWhileTheBodyIsOnATerminal() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/json", "--trace", terminal: .output)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.contains("200 OK") && !outcome.errors.contains(Self.escape))
      #expect(outcome.text.hasPrefix("{\n") && !outcome.text.contains(Self.escape))
      try await origin.stop()
    }

    // MARK: The progress bar

    private func download(
      _ path: String = "/bytes/3000000",
      _ more: String...,
      environment: [String: String] = [:],
      terminal: ToolProcess.Stream?
    ) async throws -> ToolProcess.Outcome {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let outcome = try await ToolProcess(
        ["fetch", origin.url + path, "--output", scratch.path("file").path] + more,
        environment: environment,
        terminal: terminal
      ).outcome()
      try await origin.stop()
      return outcome
    }

    @Test func aBarIsDrawnOnATerminalAndTakenAway() async throws {
      let outcome = try await download(terminal: .errors)
      #expect(outcome.status == 0, "\(outcome)")
      let frames = outcome.errors.split(separator: Self.clearing, omittingEmptySubsequences: false)
      // Before the first and behind the last there is nothing.
      try #require(frames.count >= 3)
      #expect(frames.first == "" && frames.last == "")
      for frame in frames.dropFirst().dropLast() {
        #expect(
          frame.wholeMatch(of: #/\[#*-*\] +[0-9]+ %  [0-9.]+ (bytes|[KM]iB), .*\/s(, .* left)?/#) != nil,
          "\(frame)"
        )
      }
      #expect(outcome.output.isEmpty)
    }

    @Test func withoutALengthItTellsWhatHasCome() async throws {
      let outcome = try await download("/chunked?chunks=5&size=1000", terminal: .errors)
      #expect(outcome.status == 0, "\(outcome)")
      let frames = outcome.errors.split(separator: Self.clearing)
      #expect(!frames.isEmpty && frames.allSatisfy { $0.hasSuffix("/s") && !$0.contains("[") })
      #expect(outcome.errors.hasSuffix(Self.clearing))
    }

    /// The reason stands on a line of its own.
    @Test func removesTheBarBeforeTheError() async throws {
      let wire = try WireServer(
        answering: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        closes: true
      )
      defer { wire.stop() }
      let scratch = try ScratchFolder()
      let outcome = try await ToolProcess(
        ["fetch", wire.url, "--output", scratch.path("file").path],
        terminal: .errors
      ).outcome()
      #expect(outcome.status == 3, "\(outcome)")
      let parts = outcome.errors.split(separator: Self.clearing)
      try #require(parts.count >= 2)
      #expect(parts.first?.hasPrefix("[") == true)
      #expect(parts.last?.contains("[incompleteBody]") == true && parts.last?.hasSuffix("\n") == true)
    }

    @Test func drawsNoBarOnADumbTerminal() async throws {
      let outcome = try await download(environment: ["TERM": "dumb"], terminal: .errors)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.isEmpty)
    }

    @Test func aTraceTakesThePlaceOfTheBar() async throws {
      let outcome = try await download("/bytes/3000000", "--trace", terminal: .errors)
      #expect(outcome.errors.contains("200 OK") && !outcome.errors.contains(Self.clearing))
    }

    /// Where standard error is a file, and also where standard output is a terminal beside it.
    @Test(arguments: [nil, ToolProcess.Stream.output])
    func drawsNoBarInAFile(terminal: ToolProcess.Stream?) async throws {
      let outcome = try await download(terminal: terminal)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.isEmpty)
      #expect(outcome.output.isEmpty)
    }
  }
#endif
