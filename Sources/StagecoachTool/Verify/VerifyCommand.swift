#if Tool
  import ArgumentParser
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures

  /// `stagecoach verify`: sends the requests of a contract to a service and compares its replies.
  struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Verify that a service answers as a scenario or a Pact file says.",
      discussion: """
        Sends each request of the contract, one after the other, and compares status, Content-Type, content and the \
        fields that rules name; more fields and members are allowed. Redirects are not followed. All requests are \
        sent, also those that change something.

        The exit code is 0 if the service agrees, 1 if it breaks the contract or nothing could be verified, 2 for \
        wrong usage, 3 if it does not answer, and 4 for an error of a local file.
        """
    )

    @Argument(
      help: ArgumentHelp("The folder of scenarios, or a Pact file.", valueName: "contract")
    )
    var contract: String

    @Option(help: ArgumentHelp("The service; its URL stands in for the recorded origin.", valueName: "url"))
    var against: String

    @Option(
      name: .customLong("states-url"),
      help: ArgumentHelp(
        "Set up provider states with a POST of {\"state\", \"params\", \"action\": \"setup\" or \"teardown\"} to this "
          + "URL. The values of a JSON object in its reply are available to the request.",
        valueName: "url"
      )
    )
    var statesURL: String?

    @Option(
      name: .customLong("header"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "Send this field in place of the recorded one: credentials of today, for instance. A field that no request of "
          + "the scenario has is added to all, and to all requests of a Pact file. May be repeated.",
        valueName: "name: value"
      )
    )
    var headerArguments: [Concealed<FieldArgument>] = []

    @Option(
      name: .customLong("report"),
      help: ArgumentHelp("The format of the report; text by default.", valueName: "format")
    )
    var format: FormatArgument?

    @Option(
      name: .customLong("to"),
      help: ArgumentHelp(
        "Write the report to a file, and only its last line to standard output.",
        valueName: "file"
      )
    )
    var file: String?

    @Option(
      help: ArgumentHelp("Only exchanges with this id, or this text in title or path.", valueName: "text")
    )
    var only: String?

    @Option(help: ArgumentHelp("Only exchanges that require this provider state.", valueName: "name"))
    var state: String?

    @Option(
      name: .customLong("failed-in"),
      help: ArgumentHelp("Only exchanges that failed in this report, which is in JSON.", valueName: "file")
    )
    var failedIn: String?

    @Option(help: ArgumentHelp("The time for an exchange in seconds; 30 by default.", valueName: "seconds"))
    var timeout: SecondsArgument?

    @OptionGroup(title: "Secrets") var redaction: RedactionArguments
    @OptionGroup(title: "Connections") var connections: ConnectionArguments

    /// The largest report that `--failed-in` reads, in bytes.
    private static let reportLimit = 256 << 20

    private func fields() throws -> [HTTPField] {
      try headerArguments.map { try $0.value(of: "--header", as: "Name: value").field }
    }

    func validate() throws {
      _ = try fields()
      for (name, url) in [("--against", against), ("--states-url", statesURL)] {
        guard let url else { continue }
        do {
          _ = try TargetURI(parsing: url)
        } catch {
          throw ValidationError("\(name) is not a URL: \(error)")
        }
      }
    }

    func run() async throws {
      let transport = try await connections.makeTransport()
      let result: VerificationReport
      do {
        result = try await verify(over: transport)
      } catch {
        await transport.shutdown()
        throw error
      }
      await transport.shutdown()
      try await write(result)
      guard !result.isUnanswered else { throw ExitStatus.incomplete }
      guard result.isAgreed else { throw ExitStatus.refused }
    }

    private func verify(over transport: any Transport) async throws -> VerificationReport {
      var verification = try await makeVerification(over: transport)
      verification.fields = HTTPFields(try fields())
      verification.redaction.merge(try redaction.options())
      verification.caller = .tool
      if let timeout { verification.timeout = timeout.duration }
      if let statesURL {
        let states = StateServer(
          url: statesURL,
          client: try Client(Pipeline(over: transport) { Validation() })
        )
        verification.otherStates = { states.handler(of: $0) }
      }
      if let only { verification.keep(mentioning: only) }
      if let state { verification.keep(requiring: state) }
      guard verification.count > 0 else {
        throw ValidationError("no exchange of \(contract) is left to verify")
      }
      if let failedIn { try await keep(failedIn: failedIn, &verification) }
      return try await verification.run()
    }

    private func keep(failedIn file: String, _ verification: inout Verification) async throws {
      let content = try await BlockingQueue.files.run { try Descriptor.read(file, limit: Self.reportLimit) }
      do {
        try verification.keep(failedIn: content)
      } catch {
        throw ValidationError("--failed-in \(file): \(error)")
      }
    }

    private func makeVerification(over transport: any Transport) async throws -> Verification {
      try await BlockingQueue.files.run { [contract, against] in
        try Verification(contract: contract, against: transport, base: against)
      }
    }

    private func write(_ result: VerificationReport) async throws {
      let report = format?.format ?? .text
      if let file {
        let writer = try await FileWriter.open(file, existing: .overwrite, follows: true)
        try await writer.write(Bytes(result.serialized(as: report)))
        try await writer.commit()
        try await VerdictOutput().write(result.summary)
      } else if report == .text {
        let palette = Palette(isTerminal: StandardOutput.isTerminal)
        try await VerdictOutput().write(TextReport(result, paint: palette.painted).text)
      } else {
        try await VerdictOutput().write(String(decoding: result.serialized(as: report), as: UTF8.self))
      }
    }
  }

  /// The format of a report, as `--report` takes it.
  struct FormatArgument: ExpressibleByArgument {
    static let allValueStrings = VerificationReport.FileFormat.allCases.map(\.rawValue)

    let format: VerificationReport.FileFormat

    init?(argument: String) {
      guard let format = VerificationReport.FileFormat(rawValue: argument) else { return nil }
      self.format = format
    }
  }

  extension Palette {
    fileprivate func painted(_ emphasis: TextReport.Emphasis, _ text: String) -> String {
      switch emphasis {
      case .good: green(text)
      case .bad: red(text)
      case .warning: yellow(text)
      case .faint: dim(text)
      }
    }
  }
#endif
