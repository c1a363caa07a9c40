#if Tool
  import Stagecoach
  import StagecoachOrigin
  import Synchronization

  /// The context of a step: the origin, a client whose events are recorded, and the step's checks.
  final class TourContext: Sendable {
    /// A comparison of what is with what should be.
    struct Check: Sendable {
      let what: String
      let actual: String
      let expected: String
      let hasPassed: Bool
    }

    /// No step takes that long, unless the machine is very busy or the server at fault.
    private static let patience = Duration.seconds(20)

    let origin: Origin
    let transport: any Transport
    let log = EventLog()
    let client: Client
    private let results = Mutex<[Check]>([])

    init(origin: Origin, transport: any Transport) throws {
      self.origin = origin
      self.transport = transport
      client = try Self.makeClient(.standard(over: transport), origin, [log])
    }

    private static func makeClient(
      _ pipeline: Pipeline,
      _ origin: Origin,
      _ monitors: [any EventMonitor]
    ) throws -> Client {
      var defaults = Client.Defaults()
      defaults.options.totalTimeout = patience
      // Nobody wants to wait for what is shown to fail.
      var retries = RetryPolicy()
      retries.delay = .milliseconds(5)
      defaults.options.retryPolicy = retries
      return try Client(
        pipeline,
        base: origin.url,
        configuration: .init(defaults: defaults, monitors: monitors)
      )
    }

    /// A client with another chain, whose events are kept as well.
    func client(_ pipeline: Pipeline) throws -> Client {
      try Self.makeClient(pipeline, origin, [log])
    }

    /// The standard chain over the transport of the tour.
    var standardPipeline: Pipeline { .standard(over: transport) }

    /// Runs a step and makes a failed check of what it throws.
    func attempt(_ step: TourStep) async {
      do {
        try await step.run(self)
      } catch {
        add(Check(what: "the step", actual: "\(error)", expected: "no error", hasPassed: false))
      }
    }

    // MARK: Checks

    var checks: [Check] { results.withLock { $0 } }
    var hasPassed: Bool { checks.allSatisfy(\.hasPassed) && !checks.isEmpty }

    /// Compares a value with the expected one.
    func expect<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) {
      add(
        Check(
          what: what,
          actual: Self.text(actual),
          expected: Self.text(expected),
          hasPassed: actual == expected
        )
      )
    }

    /// Checks a condition on a value.
    func expect<Value>(_ what: String, _ actual: Value, _ expected: String, _ isMet: (Value) -> Bool) {
      add(Check(what: what, actual: Self.text(actual), expected: expected, hasPassed: isMet(actual)))
    }

    /// Runs work that has to fail with an error of a kind.
    ///
    /// - Returns: The error, if it is one of the library.
    @discardableResult
    func expectFailure<Value>(
      _ what: String,
      _ kind: ExchangeError.Kind,
      _ work: () async throws -> Value
    ) async -> ExchangeError? {
      do {
        let value = try await work()
        add(Check(what: what, actual: Self.text(value), expected: "[\(kind)]", hasPassed: false))
        return nil
      } catch {
        let failure = error as? ExchangeError
        let text = failure.map { "[\($0.kind)] \($0.stage): \($0.message)" } ?? "\(error)"
        add(Check(what: what, actual: text, expected: "[\(kind)]", hasPassed: failure?.kind == kind))
        return failure
      }
    }

    /// Waits until a condition holds.
    func expectSoon(_ what: String, _ isMet: () -> Bool) async throws {
      let deadline = ContinuousClock.now + Self.patience
      while !isMet(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
      let isMet = isMet()
      add(Check(what: what, actual: isMet ? "yes" : "no", expected: "yes", hasPassed: isMet))
    }

    private func add(_ check: Check) {
      results.withLock { $0.append(check) }
    }

    private static func text<Value>(_ value: Value) -> String {
      if let optional = value as? any OptionalValue { return optional.unwrappedText }
      return "\(value)"
    }

    /// The oldest request to a path that was not looked at yet, as the origin saw it.
    func seen(_ path: String) async throws -> RecordedRequest {
      try await origin.nextRequest(path: path, timeout: Self.patience)
    }
  }

  /// Shows an optional as its value or `none`, and never as `Optional(...)`.
  private protocol OptionalValue {
    var unwrappedText: String { get }
  }

  extension Optional: OptionalValue {
    fileprivate var unwrappedText: String { map { "\($0)" } ?? "none" }
  }
#endif
