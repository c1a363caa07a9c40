import StagecoachCore

/// The contract of a consumer with a provider, written as a Pact file from the scenarios of passing tests.
///
/// ```swift
/// import Stagecoach
/// import StagecoachFixtures
///
/// let replay = try ReplayTransport(folder: "Fixtures/users/get-user")
/// let client = try Client(over: replay, base: "https://api.example.com/")
/// _ = try await client.get("users/42", as: .text)
/// let contract = ConsumerContract(consumer: "web", provider: "users")
/// try contract.write(replay, to: "pacts/web-users.json")
/// ```
public struct ConsumerContract: Sendable, Hashable {
  /// A version of the Pact specification.
  public enum Version: Int, Sendable, Hashable, CaseIterable {
    /// Version 3.
    case v3 = 3
    /// Version 4.
    case v4 = 4
  }

  /// The name of the consumer.
  public var consumer: String
  /// The name of the provider.
  public var provider: String
  /// The version of the specification; 4 by default.
  public var version: Version
  /// Whether it is an error if a scenario holds something that a Pact file cannot hold; `false` by default.
  public var isStrict = false

  /// Creates a contract.
  public init(consumer: String, provider: String, version: Version = .v4) {
    self.consumer = consumer
    self.provider = provider
    self.version = version
  }

  /// Writes the exchanges that tests used to a Pact file.
  ///
  /// The interactions that the file has already are kept. The file is replaced as a whole, and tests that run at the
  /// same time take turns.
  ///
  /// - Parameters:
  ///   - replays: The transports of the tests.
  ///   - path: The path of the file.
  /// - Returns: What the file cannot hold, a sentence each.
  /// - Throws: ``ScenarioError``: of kind `incomplete` if an exchange that is not optional was not used, or a request came
  ///   that no exchange answers; of kind `conflict` if the file holds another interaction with the same description and
  ///   states. ``ScenarioError`` if a rule is malformed. The file is as it was then.
  @discardableResult
  public func write(_ replays: ReplayTransport..., to path: String) throws -> [String] {
    var file = PactFile(consumer: consumer, provider: provider)
    file.path = path
    var losses: [String] = []
    for replay in replays {
      try Self.check(replay, path)
      let used = Set(replay.answered)
      let (contract, lost) = try PactFile.contract(
        of: replay.scenario,
        consumer: consumer,
        provider: provider,
        where: { used.contains($0.id) }
      )
      try file.merge(contract)
      losses += lost
    }
    let all = losses + (isStrict ? try file.serialized(as: version).losses : [])
    guard !isStrict || all.isEmpty else {
      throw ScenarioError(
        .loss,
        file: path,
        "a Pact file cannot hold everything: " + all.joined(separator: "; ")
      )
    }
    return losses + (try file.write(to: path, as: version))
  }

  private static func check(_ replay: ReplayTransport, _ path: String) throws(ScenarioError) {
    let title = replay.scenario.title.map { "\"\($0)\"" } ?? "the scenario"
    var problems = replay.unused.map { "exchange \($0) of \(title) was not used" }
    // Its first line names the request.
    problems += replay.unmatched.map { String($0.prefix { $0 != "\n" }) }
    guard problems.isEmpty else {
      throw ScenarioError(
        .incomplete,
        file: path,
        "the contract is not written, since not everything was exercised: " + problems.joined(separator: "; ")
      )
    }
  }
}
