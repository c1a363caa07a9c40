import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport

/// A client with nothing but a retry stage over answers that are given in turn, the last of them for ever.
struct RetrySubject: Sendable {
  /// What an attempt ends with.
  enum Answer: Sendable {
    case status(Int, HTTPFields = [:])
    case failure(ExchangeError.Kind, sent: Bool? = nil, reused: Bool? = nil)
    case body(any BodySource, status: Int)
    /// No answer until the task is cancelled.
    case none
    /// What a closure makes of the request.
    case closure(@Sendable (Request) async throws -> Response)

    func response(_ request: Request) async throws -> Response {
      switch self {
      case .status(let code, let fields):
        return Response(HTTPResponse.Status(code: code), fields: fields)
      case .failure(let kind, let sent, let reused):
        var error = ExchangeError(kind, "of the test")
        error.requestMayHaveBeenSent = sent
        error.connectionWasReused = reused
        throw error
      case .body(let source, let code):
        return Response(HTTPResponse.Status(code: code), body: Response.Body(source: source))
      case .none:
        try await sleepUntilCancelled()
        return Response(.ok)
      case .closure(let answer): return try await answer(request)
      }
    }
  }

  /// A clock on which every sleep is over at once, and is noted.
  final class HastyTime: TimeSource {
    private let state = Mutex<(now: ContinuousClock.Instant, slept: [Duration])>((.now, []))

    var now: ContinuousClock.Instant { state.withLock { $0.now } }
    var slept: [Duration] { state.withLock { $0.slept } }

    func sleep(until instant: ContinuousClock.Instant) async throws {
      try Task.checkCancellation()
      state.withLock { state in
        state.slept.append(instant - state.now)
        state.now = max(state.now, instant)
      }
    }
  }

  /// A source of chance that always says the same.
  struct FixedRandom: RandomSource {
    /// The share of what is drawn.
    var share: Double
    func next() -> UInt64 { UInt64(share * Double(1 << 53 as UInt64)) << 11 }
  }

  let transport: HandlerTransport
  let client: Client
  let time: any TimeSource
  let recorder = EventRecorder()
  /// How many answers were begun.
  private let answered: Counter

  init(
    budget: RetryBudget = RetryBudget(),
    time: any TimeSource = HastyTime(),
    share: Double = 0.5,
    above: [any Middleware] = [],
    below: [any Middleware] = [],
    _ answers: Answer...
  ) throws {
    try self.init(RetryPolicy(), budget, time, share, above, below, answers)
  }

  init(
    _ policy: RetryPolicy,
    budget: RetryBudget = RetryBudget(),
    time: any TimeSource = HastyTime(),
    share: Double = 0.5,
    above: [any Middleware] = [],
    below: [any Middleware] = [],
    _ answers: Answer...
  ) throws {
    try self.init(policy, budget, time, share, above, below, answers)
  }

  private init(
    _ policy: RetryPolicy,
    _ budget: RetryBudget,
    _ time: any TimeSource,
    _ share: Double,
    _ above: [any Middleware],
    _ below: [any Middleware],
    _ answers: [Answer]
  ) throws {
    let remaining = Locked(answers)
    let answered = Counter()
    self.answered = answered
    transport = HandlerTransport { request in
      let answer = remaining.with { $0.count > 1 ? $0.removeFirst() : $0[0] }
      answered.add()
      return try await answer.response(request)
    }
    self.time = time
    client = try Client(
      Pipeline(over: transport, stages: above + [Retry(policy, budget: budget)] + below),
      configuration: .init(
        monitors: [recorder],
        clock: time,
        randomNumberGenerator: FixedRandom(share: share)
      )
    )
  }

  /// How many attempts were made.
  var attempts: Int { transport.requests.count }
  /// What was waited for between attempts.
  var waits: [Duration] { (time as? HastyTime)?.slept ?? [] }
  /// What the stage said.
  var events: [RetryEvent] {
    recorder.events.sorted { $0.sequence < $1.sequence }.compactMap { event in
      if case .stage(let event as RetryEvent) = event.kind { event } else { nil }
    }
  }

  /// Moves the clock by a second once the first request has its answer, which it may get after the delay of the second
  /// has begun, and the second waits for that delay.
  func secondIsDue(_ time: ManualTime) async {
    await time.sleepers(atLeast: 1)
    while answered.value == 0 { await Task.yield() }
    time.advance(by: .seconds(1))
  }

  /// The status that is returned, or the kind of failure that is thrown.
  func outcome(of request: Request = .get("http://h/")) async throws -> String {
    do {
      return "\(try await client.send(request).status.code)"
    } catch let error as ExchangeError {
      return "\(error.kind)"
    }
  }
}

/// A value behind a lock that can be passed around.
final class Locked<Value: Sendable>: Sendable {
  private let value: Mutex<Value>
  init(_ value: Value) { self.value = Mutex(value) }
  func with<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}
