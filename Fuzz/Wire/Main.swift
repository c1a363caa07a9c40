#if Tool && CURL
  import ArgumentParser
  import Foundation

  /// `Fuzz/run-wire` runs this: mutated replies on the wire, in processes of their own.
  @main
  struct WireFuzz: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fuzzes the transports on the wire.",
      discussion: "Ends with exit code 0 if nothing was found.",
      subcommands: [Run.self, Replay.self, Child.self],
      defaultSubcommand: Run.self
    )
  }

  struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sends inputs for a time.")

    @Option(help: "The engine: \(FuzzEngine.allCases.map(\.rawValue).joined(separator: ", ")).")
    var engine: FuzzEngine

    @Option(help: "For so many seconds.")
    var seconds = 60.0

    @Option(help: "The seed; another one for each run by default.")
    var seed = UInt64.random(in: 0..<1_000_000)

    @Option(help: "How many calls are made at a time.")
    var lanes = 12

    @Option(help: "Where findings are left.")
    var findings: String

    func run() async throws {
      var supervisor = Supervisor(
        engine: engine,
        seed: seed,
        lanes: lanes,
        folder: findings,
        seeds: try Seeds()
      )
      try await supervisor.run(seconds: seconds)
      if supervisor.findings > 0 { throw ExitCode(1) }
    }
  }

  struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sends the inputs of a finding again.")

    @Option(help: "Another engine than that of the finding.")
    var engine: FuzzEngine?

    @Argument(help: "The file.")
    var finding: String

    func run() async throws {
      let engine = try engine ?? Finding.read(finding).engine
      let child = try await ChildProcess(["--engine", engine.rawValue, "--finding", finding])
      for (name, what) in child.journal.ended where Int(name) != nil { print("\(name): \(what)") }
      if !child.errors.isEmpty { print(child.errors) }
      print(child.end.what ?? "it came to its end")
      if child.end != .finished || child.journal.ended.contains(where: { $0.what.hasPrefix("wrong") }) {
        throw ExitCode(1)
      }
    }
  }
#else
  import Foundation

  @main
  enum WireFuzz {
    static func main() {
      FileHandle.standardError.write(Data("WireFuzz: needs the package traits \"Tool\" and \"CURL\"\n".utf8))
      exit(2)
    }
  }
#endif
