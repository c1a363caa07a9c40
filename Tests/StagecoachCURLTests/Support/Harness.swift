#if CURL
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachCURL
  import StagecoachConformance
  import Synchronization
  import TestSupport
  import Testing

  /// A peer that plays a script, and a client over a transport of its own, for the time of a test.
  func withPeer<Result>(
    _ script: @escaping @Sendable (WireConnection) throws -> Void,
    connections: ConnectionOptions = ConnectionOptions(),
    monitors: [any EventMonitor] = [],
    time: any TimeSource = SystemTime(),
    options: (inout RequestOptions) -> Void = { _ in },
    _ body: (WireServer, Client) async throws -> Result
  ) async throws -> Result {
    let peer = try WireServer(serve: script)
    defer { peer.stop() }
    return try await withClient(
      CURLTransport(connections: connections, clock: time),
      base: peer.url,
      monitors: monitors,
      time: time,
      options: options
    ) { try await body(peer, $0) }
  }

  /// A client that owns a transport, for the time of a test.
  func withClient<Result>(
    _ transport: CURLTransport,
    base: String,
    monitors: [any EventMonitor] = [],
    time: any TimeSource = SystemTime(),
    options: (inout RequestOptions) -> Void = { _ in },
    _ body: (Client) async throws -> Result
  ) async throws -> Result {
    var all = RequestOptions()
    options(&all)
    let client = try Client(
      bare(transport),
      base: base,
      configuration: .init(defaults: Client.Defaults(options: all), monitors: monitors, clock: time)
    )
    do {
      let result = try await body(client)
      await client.pipeline.shutdown()
      return result
    } catch {
      await client.pipeline.shutdown()
      throw error
    }
  }

  /// A chain that judges responses and does nothing else: these tests are about the transport.
  func bare(_ transport: any Transport) -> Pipeline {
    Pipeline(over: transport) { Validation() }
  }

  /// Sends a request without any stage in between, and reads the answer as text.
  func sent(_ request: Request, over transport: CURLTransport) async throws -> (Response, String) {
    let pipeline = Pipeline(over: transport) {}
    let response = try await pipeline.send(request)
    return (response, String(decoding: try await response.body.collect(upTo: 64 << 20)))
  }

  /// The error of ours that an operation throws.
  func exchangeError(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ operation: () async throws -> some Any
  ) async -> ExchangeError? {
    do {
      let value = try await operation()
      Issue.record("no error but \(value)", sourceLocation: sourceLocation)
    } catch let error as ExchangeError {
      return error
    } catch {
      Issue.record("not an ExchangeError: \(error)", sourceLocation: sourceLocation)
    }
    return nil
  }

  /// Waits until a condition holds; the limit only matters where it never will.
  func eventually(
    within limit: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () -> Bool
  ) async throws {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while !condition() {
      guard ContinuousClock.now < deadline else {
        Issue.record("did not come true within \(limit)", sourceLocation: sourceLocation)
        return
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Collects the events of exchanges.
  final class EventLog: EventMonitor {
    private let log = Mutex<[Event]>([])

    var kinds: [Event.Kind] { log.withLock { $0.map(\.kind) } }

    func receive(_ event: Event) {
      log.withLock { $0.append(event) }
    }
  }

  extension WireServer {
    /// All bytes that all connections received.
    var received: [UInt8] { connections.flatMap(\.bytes) }
    var text: String { String(decoding: received, as: UTF8.self) }
    var accepted: Int { connections.count }
    /// How many connections have ended.
    var closed: Int { connections.count { $0.end != nil } }
  }

  extension WireConnection {
    /// Answers requests without content until the other side ends.
    func answer(_ response: String) throws {
      while true {
        try readHead()
        try send(response)
      }
    }
  }

  /// A server for the time of a test.
  func withNginx<Result>(
    _ certificate: (chain: String, key: String) = (TestPKI.server, TestPKI.serverKey),
    directives: String = "",
    protocols: String = "TLSv1.2 TLSv1.3",
    _ body: (Nginx) async throws -> Result
  ) async throws -> Result {
    let nginx = try Nginx(
      chain: "\(certificate.chain)\n\(TestPKI.intermediate)",
      key: certificate.key,
      directives: directives,
      files: ["root.pem": TestPKI.root],
      protocols: protocols
    )
    defer { nginx.stop() }
    try await nginx.isListening()
    return try await body(nginx)
  }
#endif
