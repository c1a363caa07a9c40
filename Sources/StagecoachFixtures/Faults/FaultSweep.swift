import HTTPTypes
public import Stagecoach
import Synchronization

/// A stage that fails at one event of a scenario's input and output, and the loop that walks all of them.
///
/// The events are, for each request that reaches the stage: the connection, each chunk of the request body, the head
/// of the response, each chunk of its body, and its end. A test runs its scenario once for each, and checks what has
/// to hold whatever fails: it ends, with success or a typed error, and leaves nothing behind.
///
/// ```swift
/// let count = try await FaultSweep.run { stage in
///   let client = try Client(Pipeline(over: transport) { Retry(); stage }, base: url)
///   do { try await client.buy(book) } catch is ExchangeError {}
///   #expect(server.orders <= 1)
/// }
/// ```
public final class FaultSweep: Middleware {
  private struct State {
    var events = 0
    var hasFailed = false
  }

  private let target: Int
  private let state = Mutex(State())

  /// A stage that fails at the event with a number, from 0.
  public init(failingAt event: Int) {
    target = event
  }

  /// How many events there were so far.
  public var events: Int { state.withLock { $0.events } }

  /// Whether the event was reached.
  public var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Runs a scenario until no event is left to fail at, the last time without a failure.
  ///
  /// - Parameters:
  ///   - limit: The most runs; 10,000 by default.
  ///   - scenario: Is given the stage, to be put next to the transport.
  /// - Returns: How many events the scenario has.
  /// - Throws: What the scenario throws, and nothing of its own.
  public static func run(
    limit: Int = 10_000,
    _ scenario: (FaultSweep) async throws -> Void
  ) async throws -> Int {
    for event in 0..<limit {
      let stage = FaultSweep(failingAt: event)
      try await scenario(stage)
      if !stage.hasFailed { return event }
    }
    return limit
  }

  /// Passes the request on, and fails at the event.
  ///
  /// - Throws: What a transport throws when a connection is refused or breaks.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    if pass() {
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
      ) { [self] in SweptSource(try body.makeSource(), self) }
    }
    var response = try await next(request)
    if pass() {
      response.body.cancel()
      throw reset("before it answered")
    }
    let length = response.body.length
    response.body = Response.Body(source: SweptSource(BodyReader(response.body), self), length: length)
    return response
  }

  /// Counts an event.
  ///
  /// - Returns: Whether it is the one to fail at.
  func pass() -> Bool {
    state.withLock { state in
      defer { state.events += 1 }
      guard state.events == target else { return false }
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

  init(_ source: any BodySource, _ sweep: FaultSweep) {
    self.source = source
    self.sweep = sweep
  }

  func next() async throws -> Bytes? {
    let chunk = try await source.next()
    guard !sweep.pass() else {
      source.cancel()
      throw sweep.reset("inside a body")
    }
    return chunk
  }

  var trailers: HTTPFields? { source.trailers }

  func cancel() { source.cancel() }
}
