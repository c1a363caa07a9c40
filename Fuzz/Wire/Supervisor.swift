#if Tool && CURL
  import Foundation

  /// Runs one child after the other for a time, counts what came of inputs, and keeps what went wrong.
  struct Supervisor {
    let engine: FuzzEngine
    let seed: UInt64
    let lanes: Int
    let folder: String
    let maker: InputMaker
    /// How many faults were found.
    private(set) var findings = 0
    private var tally = Tally()
    /// What was found wrong, without what differs from one input to the next.
    private var known: Set<String> = []

    /// How many inputs a child sends. Servers remember what they saw.
    private static let share = 2000
    /// After so many findings a run ends.
    private static let most = 5
    /// How many of the last inputs a crash may have come from.
    private static let memory = 64

    init(
      engine: FuzzEngine,
      seed: UInt64,
      lanes: Int,
      folder: String,
      seeds: Seeds
    ) {
      self.engine = engine
      self.seed = seed
      self.lanes = lanes
      self.folder = folder
      maker = InputMaker(http2: engine.http2, seed: seed, seeds: seeds)
    }

    mutating func run(seconds: Double) async throws {
      let start = Date()
      var first = 0
      while findings < Self.most, Date().timeIntervalSince(start) < seconds {
        let child = try await ChildProcess(
          arguments([
            "--seed", "\(seed)", "--first", "\(first)", "--count", "\(Self.share)", "--lanes", "\(lanes)",
            "--end", "\(start.timeIntervalSince1970 + seconds)",
          ])
        )
        let sent = child.journal.ended.compactMap { entry in Int(entry.name).map { ($0, entry.what) } }
        for (number, what) in sent {
          tally.add(what)
          if what.hasPrefix("wrong") { try await keep(wrong: what, number) }
        }
        if let what = child.end.what { try await keep(end: what, child) }
        first += Self.share
      }
      print(tally.summary(of: engine.rawValue, seconds: Date().timeIntervalSince(start), seed: seed))
      print("  findings: \(findings)")
    }

    private func arguments(_ further: [String]) -> [String] {
      ["--engine", engine.rawValue] + further
    }

    // MARK: Findings

    private mutating func keep(wrong what: String, _ number: Int) async throws {
      let kind = what.filter { !$0.isNumber }.prefix(60)
      guard known.insert(String(kind)).inserted else { return }
      var finding = Finding(what: what, engine: engine, seed: seed, inputs: [maker.make(number)])
      let again = try await ended(finding.inputs)
      finding.isRepeatable = again.journal.ended.contains { $0.what.hasPrefix("wrong") }
      try keep(finding, as: "wrong-\(seed)-\(number)")
    }

    private mutating func keep(end what: String, _ child: ChildProcess) async throws {
      let text = child.errors.prefix { $0 != "\n" }
      guard text.isEmpty || known.insert(String(text)).inserted else { return }
      let numbers = child.journal.begun.compactMap(Int.init).suffix(Self.memory)
      var finding = Finding(what: what, engine: engine, seed: seed, inputs: numbers.map(maker.make))
      finding.isRepeatable = try await ended(finding.inputs).end != .finished
      // To see a hang again and again would take its patience each time.
      if finding.isRepeatable, case .crashed = child.end {
        finding.inputs = try await reduced(finding.inputs)
      }
      let kind = what.prefix { $0 != ":" }
      if !text.isEmpty { finding.what += ": \(text)" }
      try keep(finding, as: "\(kind)-\(seed)-\(numbers.last ?? 0)")
    }

    private mutating func keep(_ finding: Finding, as name: String) throws {
      findings += 1
      let path = "\(folder)/\(engine.rawValue)-\(name).json"
      try finding.write(to: path)
      let repeats = finding.isRepeatable ? "it happens again" : "it did not happen again"
      print(
        "\(finding.what)\n  \(finding.inputs.count) inputs, with which \(repeats): Fuzz/run-wire --replay \(path)"
      )
    }

    /// Sends inputs one after the other in a new child.
    private func ended(_ inputs: [Input]) async throws -> ChildProcess {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(
        "WireFuzz-\(UUID().uuidString).json"
      )
      try Finding(what: "", engine: engine, seed: seed, inputs: inputs).write(to: file.path)
      defer { try? FileManager.default.removeItem(at: file) }
      return try await ChildProcess(arguments(["--finding", file.path]))
    }

    /// Leaves out inputs as long as what is left still ends a child.
    private func reduced(_ inputs: [Input]) async throws -> [Input] {
      var inputs = inputs
      var step = inputs.count / 2
      while step >= 1 {
        var start = 0
        while start < inputs.count, inputs.count > 1 {
          var fewer = inputs
          fewer.removeSubrange(start..<min(start + step, inputs.count))
          if !fewer.isEmpty, try await ended(fewer).end != .finished {
            inputs = fewer
          } else {
            start += step
          }
        }
        step /= 2
      }
      return inputs
    }
  }
#endif
