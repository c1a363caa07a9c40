import HTTPTypes
public import StagecoachCore
import Synchronization

/// A stage that fails at one event of a scenario's input and output, with a loop over all events.
///
/// The events are, for each request that reaches the stage: the connection, each chunk of the request body and its
/// end, the head of the response, each chunk of its body, and its end. A test runs its scenario once for each event,
/// and checks what must hold for any failure: it ends, with success or a typed error, and releases everything.
///
/// ```swift
/// import Testing
///
/// let count = try await FaultSweep.run { stage in
///   let server = HandlerTransport { _ in Response(.created) }
///   let client = try Client(Pipeline(over: server) { Retry(); stage }, base: "http://test/")
///   do { try await client.post("orders") } catch is ExchangeError {}
///   #expect(server.requests.count <= 1)
/// }
/// ```
///
/// Events of sending and receiving are counted separately, see ``Direction``.
public final class FaultSweep: Middleware {
  /// The events that are counted together.
  ///
  /// A transport reads the request body while it waits for the response, and may be one chunk further in one run than
  /// in the next. With a common count the numbers of events would differ between runs, and some events would never
  /// fail.
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

  /// Creates a stage that fails at the event with a number, from 0, among the events of a direction.
  public init(failingAt event: Int, of direction: Direction = .response) {
    target = event
    self.direction = direction
  }

  /// The number of events so far.
  public var events: Int { state.withLock { $0.events.values.reduce(0, +) } }

  /// Returns the number of events of a direction so far.
  public func events(of direction: Direction) -> Int { state.withLock { $0.events[direction] ?? 0 } }

  /// Whether the event was reached.
  public var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Runs a scenario for each event to fail at: first those of the response, until a run has no failure, then those of
  /// the request body, if there is one, until another run has none.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of runs; 10,000 by default.
  ///   - scenario: Receives the stage, to be placed next to the transport.
  /// - Returns: The number of events that failed.
  /// - Throws: Only errors of the scenario.
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
  /// - Throws: The error that a transport throws when a connection is refused or breaks.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    if pass(.response) {
      var error = ExchangeError(.connectionRefused, "nothing listens at that address (injected fault)")
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
      throw reset("before it responded")
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
    var error = ExchangeError(.connectionReset, "the peer reset the connection \(when) (injected fault)")
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
