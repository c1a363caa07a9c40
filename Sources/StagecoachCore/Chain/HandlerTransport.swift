import Synchronization

/// A transport without sockets: a closure answers each request, and the requests are recorded.
///
/// Use it to test a single stage:
///
/// ```swift
/// import Testing
///
/// let transport = HandlerTransport { request in
///   Response(request.attempt == 1 ? .serviceUnavailable : .ok)
/// }
/// let pipeline = Pipeline(over: transport) { Retry() }
/// let response = try await pipeline.send(Request(.get, "http://test/"))
/// #expect(transport.requests.count == 2)
/// ```
public final class HandlerTransport: Transport {
  private struct State {
    var requests: [Request] = []
    var isShutDown = false
  }

  private let handler: @Sendable (Request) async throws -> Response
  private let recordLimit: Int
  private let state = Mutex(State())

  /// Creates a transport whose requests a closure answers.
  ///
  /// - Parameters:
  ///   - recordLimit: The maximum number of recorded requests; the newest are kept. 1000 by default.
  ///   - handler: Answers a request. An error that it throws is an error of the transport.
  public init(
    recordLimit: Int = 1000,
    _ handler: @escaping @Sendable (Request) async throws -> Response
  ) {
    self.recordLimit = recordLimit
    self.handler = handler
  }

  /// The recorded requests, oldest first.
  public var requests: [Request] { state.withLock { $0.requests } }

  /// The capabilities for streaming and trailers that need no network connection.
  public var capabilities: TransportCapabilities {
    [
      .streamsRequestBodies, .streamsResponseBodies, .requestTrailers, .responseTrailers, .exactFields,
      .reasonPhrases, .asteriskForm,
    ]
  }

  /// Records the request and returns the response of the closure.
  public func send(_ request: Request) async throws -> Response {
    let isShutDown = state.withLock { state in
      guard !state.isShutDown, recordLimit > 0 else { return state.isShutDown }
      if state.requests.count == recordLimit { state.requests.removeFirst() }
      state.requests.append(request)
      return false
    }
    guard !isShutDown else { throw ExchangeError(.shutdown, "the transport was shut down") }
    try Task.checkCancellation()
    return try await handler(request)
  }

  /// Shuts the transport down: later requests fail.
  public func shutdown() async {
    state.withLock { $0.isShutDown = true }
  }
}

extension HandlerTransport: CustomReflectable {
  /// The requests without secrets.
  public var customMirror: Mirror { Mirror(self, children: ["requests": requests]) }
}
