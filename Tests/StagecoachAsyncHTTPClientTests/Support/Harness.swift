#if Tool
  import Foundation
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachConformance
  import StagecoachOrigin
  import Synchronization
  import Testing

  /// An origin, a transport and a client over it, for the time of a test.
  func withOrigin<Result>(
    options: RequestOptions = RequestOptions(),
    monitors: [any EventMonitor] = [],
    time: any TimeSource = SystemTime(),
    _ body: (Origin, Client) async throws -> Result
  ) async throws -> Result {
    let origin = try await Origin.start()
    let client = try Client(
      bare(AsyncHTTPClientTransport(clock: time)),
      base: origin.url,
      configuration: .init(defaults: Client.Defaults(options: options), monitors: monitors, clock: time)
    )
    do {
      let result = try await body(origin, client)
      await client.pipeline.shutdown()
      try await origin.stop()
      return result
    } catch {
      await client.pipeline.shutdown()
      try await origin.stop()
      throw error
    }
  }

  /// What a peer does on each of its connections, which ends with it.
  typealias Script = @Sendable (WireConnection) throws -> Void

  /// A peer that plays a script, and a client over a transport of its own, for the time of a test.
  func withPeer<Result>(
    _ script: @escaping Script,
    options: RequestOptions = RequestOptions(),
    _ body: (WireServer, Client) async throws -> Result
  ) async throws -> Result {
    let peer = try WireServer(serve: script)
    defer { peer.stop() }
    let client = try Client(
      bare(AsyncHTTPClientTransport()),
      base: peer.url,
      configuration: .init(defaults: Client.Defaults(options: options))
    )
    do {
      let result = try await body(peer, client)
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

  /// Reads the head of a request, sends these bytes, and closes the connection.
  func closing(_ bytes: [UInt8]) -> Script {
    { wire in
      try wire.readHead()
      try wire.send(bytes)
    }
  }

  /// Reads the head of a request, sends a text in UTF-8, and closes the connection.
  func closing(_ text: String) -> Script { closing(Array(text.utf8)) }

  /// Reads the head of a request, sends these bytes, and keeps the connection open.
  func holding(_ bytes: [UInt8]) -> Script {
    { wire in
      try wire.readHead()
      try wire.send(bytes)
      try wire.hold()
    }
  }

  /// Reads the head of a request, sends a text in UTF-8, and keeps the connection open.
  func holding(_ text: String) -> Script { holding(Array(text.utf8)) }

  /// Reads the head of a request, sends these bytes in two pieces, and keeps the connection open.
  func holding(_ bytes: [UInt8], cutAt cut: Int) -> Script {
    { wire in
      try wire.readHead()
      try wire.send(Array(bytes[..<cut]))
      // Long enough for the first piece to be read alone.
      wire.pause(.milliseconds(5))
      try wire.send(Array(bytes[cut...]))
      try wire.hold()
    }
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

  /// Short limits, for tests that wait for them.
  func limits(_ change: (inout RequestOptions) -> Void) -> RequestOptions {
    var options = RequestOptions()
    change(&options)
    return options
  }

  /// Collects the events of exchanges.
  final class EventLog: EventMonitor {
    private let log = Mutex<[Event]>([])

    var events: [Event] { log.withLock { $0 } }

    func receive(_ event: Event) {
      log.withLock { $0.append(event) }
    }
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
#endif
