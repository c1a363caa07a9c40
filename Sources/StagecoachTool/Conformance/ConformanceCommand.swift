#if Tool
  import ArgumentParser
  import ConformanceSubjects
  import Stagecoach
  import StagecoachConformance

  /// `stagecoach conformance`: the conformance kit over the transports of this build.
  struct ConformanceCommand: AsyncParsableCommand {
    /// The forms of the report.
    enum Form: String, CaseIterable, ExpressibleByArgument {
      case text, json, markdown
    }

    static let configuration = CommandConfiguration(
      commandName: "conformance",
      abstract: "Check that the transports do what they declare.",
      discussion: """
        Each check runs against servers in this process that follow wire scripts to the byte. \
        The exit code is 0 if all checks passed except for listed deviations, otherwise 1.
        """
    )

    @Option(help: ArgumentHelp("Only check this transport. May be repeated.", valueName: "name"))
    var transport: [String] = []

    @Option(
      help: ArgumentHelp(
        "Only run the checks whose ID starts with this number. May be repeated.",
        valueName: "number"
      )
    )
    var check: [String] = []

    @Option(help: "The format of the report: \(Form.allCases.map(\.rawValue).joined(separator: ", ")).")
    var report = Form.text

    @Flag(help: "Only list the checks.")
    var list = false

    func run() async throws {
      let all = try Check.all()
      if let unknown = check.first(where: { prefix in !all.contains { $0.id.hasPrefix(prefix) } }) {
        throw ValidationError("no check has an ID that starts with \(unknown)")
      }
      let checks = all.filter { candidate in
        check.isEmpty || check.contains { candidate.id.hasPrefix($0) }
      }
      guard !list else {
        for check in checks { try await tell("\(check.id)  \(check.level.rawValue)  \(check.title)") }
        return
      }
      let subjects = try transport.isEmpty ? Subjects.all : transport.map(subject)
      let matrix = ConformanceMatrix(try await run(checks, on: subjects))
      switch report {
      case .text: try await tell(matrix.summary)
      case .json: try await tell(matrix.json)
      case .markdown: try await tell(matrix.markdown)
      }
      guard matrix.count(of: .fail) == 0 else { throw ExitStatus.refused }
    }

    private func run(_ checks: [Check], on subjects: [Subject]) async throws -> [CheckResult] {
      try await withThrowingTaskGroup(of: (Int, [CheckResult]).self) { group in
        for (index, subject) in subjects.enumerated() {
          group.addTask { (index, try await run(checks, on: subject)) }
        }
        let all = try await group.reduce(into: []) { $0.append($1) }
        return all.sorted { $0.0 < $1.0 }.flatMap(\.1)
      }
    }

    /// Runs the checks two at a time, over all transports at once: they mostly wait.
    private func run(_ checks: [Check], on subject: Subject) async throws -> [CheckResult] {
      try await withThrowingTaskGroup(of: (Int, CheckResult).self) { group in
        var rest = checks.enumerated().makeIterator()
        func begin() {
          guard let (index, check) = rest.next() else { return }
          group.addTask { (index, await subject.run(check)) }
        }
        begin()
        begin()
        var results: [(Int, CheckResult)] = []
        while let result = try await group.next() {
          try Task.checkCancellation()
          results.append(result)
          if report == .text { try await show(result.1) }
          begin()
        }
        return results.sorted { $0.0 < $1.0 }.map(\.1)
      }
    }

    private func subject(_ name: String) throws -> Subject {
      let all = Subjects.all + Subjects.fixtures
      guard let subject = all.first(where: { $0.name.lowercased() == name.lowercased() }) else {
        let known = all.map(\.name).joined(separator: ", ")
        throw ValidationError("unknown transport \(name) (in this build: \(known))")
      }
      return subject
    }

    private func tell(_ text: String) async throws {
      try await VerdictOutput().write(text)
    }

    private func show(_ result: CheckResult) async throws {
      let reason = result.reason.isEmpty || result.outcome == .notClaimed ? "" : ": \(result.reason)"
      try await tell("\(result.transport)  \(result.check.id)  \(result.outcome.rawValue)\(reason)")
    }
  }
#endif
