import Synchronization

/// A transport without sockets: an asynchronous closure answers, and what it was sent is recorded.
///
/// With it a stage is tested alone:
///
/// ```swift
/// let transport = HandlerTransport { request in
///   Response(request.fields[.authorization] == nil ? .unauthorized : .ok)
/// }
/// let pipeline = Pipeline(over: transport) { MyStage() }
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

  /// A transport that a closure answers for.
  ///
  /// - Parameters:
  ///   - recordLimit: How many requests are recorded, the newest; 1000 by default.
  ///   - handler: Answers a request. What it throws is an error of the transport.
  public init(
    recordLimit: Int = 1000,
    _ handler: @escaping @Sendable (Request) async throws -> Response
  ) {
    self.recordLimit = recordLimit
    self.handler = handler
  }

  /// What it was sent, oldest first.
  public var requests: [Request] { state.withLock { $0.requests } }

  /// All of what streams and trailers need no wire for.
  public var capabilities: TransportCapabilities {
    [
      .streamsRequestBodies, .streamsResponseBodies, .requestTrailers, .responseTrailers, .exactFields,
      .reasonPhrases, .asteriskForm,
    ]
  }

  /// Records the request and lets the closure answer.
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

  /// Refuses more requests.
  public func shutdown() async {
    state.withLock { $0.isShutDown = true }
  }
}

extension HandlerTransport: CustomReflectable {
  /// The requests without secrets.
  public var customMirror: Mirror { Mirror(self, children: ["requests": requests]) }
}
