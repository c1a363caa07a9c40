import HTTPTypes
public import StagecoachCore
import Synchronization

/// A transport that answers from a scenario, without a network.
///
/// Each request is compared with the recorded ones, and the exchange that fits best and is not used up answers it. Each
/// transport has a state of its own, so tests run in parallel.
///
/// Any value may come where a recorded request has the placeholder of a secret. It stands for that secret until
/// ``reset()``: another value does not, and where a reply repeats the secret, it repeats the value.
///
/// ```swift
/// import Stagecoach
/// import StagecoachFixtures
///
/// let replay = try ReplayTransport(folder: "Fixtures/users/get-user")
/// let client = try Client(over: replay, base: "https://api.example.com/")
/// let user = try await client.get("users/42", as: .text)
/// try replay.finish()
/// ```
public final class ReplayTransport: Transport {
  /// When the chunks of a body are handed out.
  public enum Timing: Sendable, Hashable {
    /// At once.
    case immediate
    /// At the recorded times, multiplied by a factor, on the clock of the exchange.
    case recorded(factor: Double)
  }

  /// The scenario.
  public let scenario: Scenario
  private let timing: Timing
  let requestBodyLimit: Int
  private let index: ReplayIndex
  private let state: Mutex<ReplayState>
  private let isShutDown = Atomic(false)

  /// Creates a transport that answers from a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - timing: When the chunks of a body are handed out; at once by default.
  ///   - requestBodyLimit: The number of bytes of a request body that are read to compare it; 64 MiB by default.
  /// - Throws: ``ScenarioError`` if a rule is malformed.
  public init(_ scenario: Scenario, timing: Timing = .immediate, requestBodyLimit: Int = 64 << 20) throws {
    self.scenario = scenario
    self.timing = timing
    self.requestBodyLimit = requestBodyLimit
    index = try ReplayIndex(scenario)
    state = Mutex(ReplayState(scenario, index))
  }

  /// Creates a transport that answers from the scenario in a folder.
  ///
  /// - Throws: ``ScenarioError`` if the folder holds no valid scenario.
  public convenience init(folder: String, timing: Timing = .immediate) throws {
    let scenario = try Scenario(folder: folder)
    try RuleCheck.checkForms(of: scenario, in: folder)
    try self.init(scenario, timing: timing)
  }

  /// What a recording holds: streams, trailers, fields as they were, reason phrases.
  public var capabilities: TransportCapabilities {
    [
      .streamsRequestBodies, .streamsResponseBodies, .requestTrailers, .responseTrailers, .exactFields,
      .exactChunks,
      .reasonPhrases, .asteriskForm, .injectedClock,
    ]
  }

  /// Answers from the scenario.
  ///
  /// - Throws: `ExchangeError` of kind `stageFailure` with ``ReplayFailure`` if no exchange answers the request, and the
  ///   recorded failure of an exchange that failed.
  public func send(_ request: Request) async throws -> Response {
    try Task.checkCancellation()
    let body =
      if let bytes = request.body.bytes { bytes } else { try await request.content(upTo: requestBodyLimit) }
    let live = LiveRequest(request, body: await CodedBody.decoded(body, request.fields))
    let candidates = index.matches(for: live)
    guard !isShutDown.load(ordering: .relaxed) else {
      throw ExchangeError(.shutdown, "the transport was shut down")
    }
    let taken = state.withLock { $0.take(candidates, for: live, of: index.exchanges) }
    guard let taken else { throw try unmatched(live) }
    request.emit(.requestSent)
    let recorded = taken.exchange
    if recorded.isOmitted { throw recorded.omission }
    let reply = recorded.reply.repeating(taken.values)
    if let response = reply.plainResponse(to: request, timing) { return response }
    return try await reply.response(to: request, timing)
  }

  private func unmatched(_ live: LiveRequest) throws -> ExchangeError {
    let diagnosis = try state.withLock { state in
      let diagnosis = try ReplayDiagnosis(live, index.exchanges, title: scenario.title, state)
      state.noteUnmatched(diagnosis.text)
      return diagnosis
    }
    var error = ExchangeError(.stageFailure(ReplayFailure.unmatched), diagnosis.text)
    error.requestMayHaveBeenSent = false
    return error
  }

  /// The identifiers of the exchanges that answered, in the order of the requests.
  public var answered: [String] {
    state.withLock { $0.answered.map { scenario.exchanges[$0].id } }
  }

  /// The identifiers of the exchanges that were used less often than they say.
  public var unused: [String] {
    state.withLock { $0.unused(of: index.exchanges) }.map(\.recorded.id)
  }

  /// What is known of the first hundred requests that no exchange answered, without their secrets; also if the client
  /// swallowed the error.
  package var unmatched: [String] { state.withLock { $0.unmatched } }

  /// Checks at the end of a test that every exchange was used as often as it says.
  ///
  /// - Throws: `ExchangeError` of kind `stageFailure` with ``ReplayFailure/unused``, unless the policy of the scenario
  ///   says otherwise.
  public func finish() throws {
    let unused = state.withLock { $0.unused(of: index.exchanges) }
    guard scenario.policy.unused == .fail, !unused.isEmpty else { return }
    let list = unused.map { exchange in
      "  \(exchange.recorded.id)  \(exchange.recorded.request.method) \(exchange.comparison.recorded.url)"
    }
    throw ExchangeError(
      .stageFailure(ReplayFailure.unused),
      (["\(unused.count) of \(scenario.exchanges.count) exchanges were not used:"] + list).joined(
        separator: "\n"
      ),
      advice: "send these requests, mark the exchanges as optional, or remove them"
    )
  }

  /// Forgets which exchanges were used, the states, and which values stand for secrets.
  public func reset() {
    state.withLock { $0 = ReplayState(scenario, index) }
  }

  /// Shuts the transport down: later requests fail.
  public func shutdown() async {
    isShutDown.store(true, ordering: .relaxed)
  }
}

/// The reason why a replay ended an exchange.
@nonexhaustive
public enum ReplayFailure: String, StageFailure {
  /// No exchange of the scenario answers the request.
  case unmatched
  /// The exchange or the content of its reply was not recorded.
  case omitted
  /// Exchanges were not used.
  case unused

  /// A name such as `replay.unmatched`.
  public var description: String { "replay.\(rawValue)" }
}

extension ReplayFailure: ListingStageFailure {}

extension ExchangeError {
  /// Whether no exchange of a replay answers the request.
  var isUnmatched: Bool { kind == .stageFailure(ReplayFailure.unmatched) }
}
