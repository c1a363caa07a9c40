import HTTPTypes
public import StagecoachCore
import Synchronization

/// A stage that fails at one event of a scenario's input and output, and the loop that walks all of them.
///
/// The events are, for each request that reaches the stage: the connection, each chunk of the request body and its end,
/// the head of the response, each chunk of its body, and its end. A test runs its scenario once for each, and checks
/// what has to hold whatever fails: it ends, with success or a typed error, and leaves nothing behind.
///
/// ```swift
/// let count = try await FaultSweep.run { stage in
///   let client = try Client(Pipeline(over: transport) { Retry(); stage }, base: url)
///   do { try await client.buy(book) } catch is ExchangeError {}
///   #expect(server.orders <= 1)
/// }
/// ```
///
/// What is sent and what comes are counted each by itself, see ``Direction``.
public final class FaultSweep: Middleware {
  /// The events that are counted together.
  ///
  /// A transport pulls the request body while it waits for the response, and may be a chunk further in one run than in
  /// the next. With one count for both an event would have another number each time, and some would never fail.
  public enum Direction: Sendable, Hashable, CaseIterable {
    /// The connection, the head of the response, the chunks and the end of its body.
    case response
    /// The chunks and the end of the request body.
    case request
  }

  private struct State {
    var events: [Direction: Int] = [:]
    var hasFailed = false
  }

  private let target: Int
  private let direction: Direction
  private let state = Mutex(State())

  /// A stage that fails at the event with a number, from 0, of those of a direction.
  public init(failingAt event: Int, of direction: Direction = .response) {
    target = event
    self.direction = direction
  }

  /// How many events there were so far.
  public var events: Int { state.withLock { $0.events.values.reduce(0, +) } }

  /// How many events of a direction there were so far.
  public func events(of direction: Direction) -> Int { state.withLock { $0.events[direction] ?? 0 } }

  /// Whether the event was reached.
  public var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Runs a scenario until no event is left to fail at: first those of the response, to a run without a failure, and
  /// then those of the request body, if there is one, to another such run.
  ///
  /// - Parameters:
  ///   - limit: The most runs; 10,000 by default.
  ///   - scenario: Is given the stage, to be put next to the transport.
  /// - Returns: How many events failed.
  /// - Throws: What the scenario throws, and nothing of its own.
  public static func run(
    limit: Int = 10_000,
    _ scenario: (FaultSweep) async throws -> Void
  ) async throws -> Int {
    var runs = 0
    var failures = 0
    for direction in [Direction.response, .request] {
      var event = 0
      while runs < limit {
        let stage = FaultSweep(failingAt: event, of: direction)
        runs += 1
        try await scenario(stage)
        guard stage.hasFailed else {
          if stage.events(of: .request) == 0 { return failures }
          break
        }
        event += 1
        failures += 1
      }
    }
    return failures
  }

  /// Passes the request on, and fails at the event.
  ///
  /// - Throws: What a transport throws when a connection is refused or breaks.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    if pass(.response) {
      var error = ExchangeError(.connectionRefused, "nothing listens at that address (a planned fault)")
      error.requestMayHaveBeenSent = false
      throw error
    }
    var request = request
    let body = request.body
    if !body.isEmpty {
      request.body = .source(
        length: body.length,
        isReplayable: body.isReplayable,
        hasTrailers: body.hasTrailers
      ) { [self] in SweptSource(try body.makeSource(), self, .request) }
    }
    var response = try await next(request)
    if pass(.response) {
      response.body.cancel()
      throw reset("before it answered")
    }
    response.pass { SweptSource(BodyReader($0), self, .response) }
    return response
  }

  /// Counts an event.
  ///
  /// - Returns: Whether it is the one to fail at.
  func pass(_ direction: Direction) -> Bool {
    state.withLock { state in
      let number = state.events[direction] ?? 0
      state.events[direction] = number + 1
      guard direction == self.direction, number == target else { return false }
      state.hasFailed = true
      return true
    }
  }

  func reset(_ when: String) -> ExchangeError {
    var error = ExchangeError(.connectionReset, "the peer reset the connection \(when) (a planned fault)")
    error.requestMayHaveBeenSent = true
    return error
  }
}

/// Fails where the sweep says.
private final class SweptSource: BodySource {
  private let source: any BodySource
  private let sweep: FaultSweep
  private let direction: FaultSweep.Direction

  init(_ source: any BodySource, _ sweep: FaultSweep, _ direction: FaultSweep.Direction) {
    self.source = source
    self.sweep = sweep
    self.direction = direction
  }

  func next() async throws -> Bytes? {
    let chunk = try await source.next()
    guard !sweep.pass(direction) else {
      source.cancel()
      throw sweep.reset("inside a body")
    }
    return chunk
  }

  var trailers: HTTPFields? { source.trailers }

  func cancel() { source.cancel() }
}
