#if Tool
  import Foundation
  import Stagecoach
  import StagecoachAsyncHTTPClient
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
      bare(AsyncHTTPClientTransport(time: time)),
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

  /// A client over a listener that plays a script.
  func withRaw<Result>(
    _ script: RawScript,
    options: RequestOptions = RequestOptions(),
    _ body: (RawOrigin, Client) async throws -> Result
  ) async throws -> Result {
    let raw = try await Origin.raw(script)
    let client = try Client(
      bare(AsyncHTTPClientTransport()),
      base: raw.url,
      configuration: .init(defaults: Client.Defaults(options: options))
    )
    do {
      let result = try await body(raw, client)
      await client.pipeline.shutdown()
      await raw.stop()
      return result
    } catch {
      await client.pipeline.shutdown()
      await raw.stop()
      throw error
    }
  }

  /// A chain that judges responses and does nothing else: these tests are about the transport.
  func bare(_ transport: any Transport) -> Pipeline {
    Pipeline(over: transport) { Validation() }
  }

  extension RawScript {
    /// Reads the head of a request, sends these bytes, and closes the connection.
    static func closing(_ text: String) -> RawScript {
      [.readHead, .send(text), .close]
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
