import HTTPTypes
public import StagecoachCore
import Synchronization

/// One run of a check, which creates transports and servers, and ends them with the run.
public final class Trial: Sendable {
  private struct State {
    var transports: [any Transport] = []
    var servers: [WireServer] = []
    /// Whether the run has ended. A check that took too long continues, but what it creates must still be shut down.
    var isOver = false
  }

  /// The transport under test.
  public let subject: Subject
  /// The capabilities that it declares.
  public let capabilities: TransportCapabilities

  private let state = Mutex(State())

  init(of subject: Subject, _ capabilities: TransportCapabilities) {
    self.subject = subject
    self.capabilities = capabilities
  }

  /// Returns a new transport, which is shut down at the end of the run.
  ///
  /// - Throws: Any error of creating it; ``CheckFailure`` for a transport without a wire.
  public func transport(_ change: (inout Subject.Setup) -> Void = { _ in }) throws -> any Transport {
    guard case .wire(let make) = subject.kind else { throw CheckFailure("the transport has no wire") }
    var setup = Subject.Setup()
    change(&setup)
    return try state.withLock { state in
      guard !state.isOver else { throw CancellationError() }
      let transport = try make(setup)
      state.transports.append(transport)
      return transport
    }
  }

  /// Returns a transport without a wire over a closure; `nil` for a transport with a wire.
  public func inProcess(
    _ handler: @escaping @Sendable (Request) async throws -> Response
  ) -> (any Transport)? {
    guard case .inProcess(let make) = subject.kind else { return nil }
    let transport = make(handler)
    state.withLock { $0.transports.append(transport) }
    return transport
  }

  /// Returns a new server, which is stopped at the end of the run.
  public func server(
    host: String = "127.0.0.1",
    _ serve: @escaping @Sendable (WireConnection) throws -> Void
  ) throws -> WireServer {
    try state.withLock { state in
      guard !state.isOver else { throw CancellationError() }
      let server = try WireServer(host: host, serve: serve)
      state.servers.append(server)
      return server
    }
  }

  /// A server that plays scripts, one for each connection in order, and on further ones the last if `repeats`.
  func server(host: String = "127.0.0.1", playing scripts: [[WireStep]], repeats: Bool) throws -> WireServer {
    try server(host: host) { wire in
      guard wire.index < scripts.count || repeats, let last = scripts.last else {
        throw WireError.unexpected("a connection that no script is for")
      }
      for step in wire.index < scripts.count ? scripts[wire.index] : last { try step.run(on: wire) }
    }
  }

  /// Ends what the run made.
  func end() async {
    let (transports, servers) = state.withLock { state in
      defer { state = State(isOver: true) }
      return (state.transports, state.servers)
    }
    for server in servers { server.stop() }
    for transport in transports { await transport.shutdown() }
  }
}

extension Trial {
  /// Sends a request like a pipeline without stages, which resolves its URL and refuses unsafe heads.
  public func send(_ request: Request, over transport: any Transport) async throws -> Response {
    try await Pipeline(over: transport, stages: []).send(request)
  }

  /// Sends a request that has to fail, and returns the failure.
  ///
  /// - Parameter reads: Whether the failure may come while the body is read.
  func failure(
    of request: Request,
    over transport: any Transport,
    reads: Bool = true
  ) async throws -> ExchangeError {
    let response: Response
    do {
      response = try await send(request, over: transport)
      guard reads else { throw CheckFailure("it was answered with \(response.status.code)") }
      let body = try await response.body.collect(upTo: 64 << 20)
      throw CheckFailure("it was answered with \(response.status.code) and \(body)")
    } catch let error as ExchangeError {
      return error
    }
  }
}
