import HTTPTypes
public import StagecoachCore
public import StagecoachSerializers
import StagecoachStages

extension Client {
  /// Returns the server-sent events of a request, reconnecting when the connection ends (WHATWG HTML 9.2.3).
  ///
  /// ```swift
  /// var request = Request.get("news")
  /// request.fields[.cacheControl] = "no-store"
  /// for try await event in client.serverSentEvents(for: request) {
  ///   print(event.type, event.data)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request, sent when the first event is read and again for each connection. If it has a
  ///     `Last-Event-ID` field, the first connection continues there.
  ///   - policy: The delays, and the condition for giving up.
  public func serverSentEvents(
    for request: Request,
    reconnecting policy: ReconnectionPolicy = ReconnectionPolicy()
  ) -> ReconnectingServerSentEvents {
    ReconnectingServerSentEvents(client: self, request: request, policy: policy)
  }
}

/// Server-sent events over several connections; see `client.serverSentEvents(for:reconnecting:)`.
///
/// It reconnects when a stream ends and after a transient failure (`ExchangeError.isTransient`), with the last ID of
/// the server as `Last-Event-ID`, after the time that the server or the policy specifies, on the clock of the client.
/// A 204 response ends the sequence. Any other status except 200, another media type than `text/event-stream`, and
/// every other failure are thrown; so is the last failure once the policy gives up, or kind `policy` if there was
/// none. `options.totalTimeout` applies to each connection.
///
/// Each iterator has its own connections. Leaving the loop ends the current one.
public struct ReconnectingServerSentEvents: AsyncSequence, Sendable {
  let client: Client
  let request: Request
  let policy: ReconnectionPolicy

  /// Returns an iterator, which connects when the first event is read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(client: client, request: request, policy: policy)
  }

  /// An iterator over events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let client: Client
    private let request: Request
    private let policy: ReconnectionPolicy
    private var connection: BodyElements<ServerSentEvent>.AsyncIterator?
    /// The complete request of the last connection, for errors.
    private var sent: Request?
    private var lastEventID: String
    private var reconnectionTime: Duration?
    /// The number of consecutive connections without data.
    private var fruitless = 0
    private var isDone = false

    init(client: Client, request: Request, policy: ReconnectionPolicy) {
      self.client = client
      self.request = request
      self.policy = policy
      lastEventID = request.fields[.lastEventID] ?? ""
    }

    /// Returns the next event; `nil` after a 204 response.
    ///
    /// - Throws: `ExchangeError`; `CancellationError` if the task is cancelled.
    public mutating func next() async throws -> ServerSentEvent? {
      while !isDone {
        do {
          if let event = try await nextOfConnection() { return event }
          if !isDone { try await wait(after: nil) }
        } catch let error as ExchangeError where error.isTransient && error.kind != .status {
          try await wait(after: error)
        } catch {
          isDone = true
          connection = nil
          throw error
        }
      }
      return nil
    }

    /// Returns the next event of the connection, connecting if necessary; `nil` at its end.
    private mutating func nextOfConnection() async throws -> ServerSentEvent? {
      var current: BodyElements<ServerSentEvent>.AsyncIterator
      if let connection {
        current = connection
        // One owner of its buffers while it reads, or they would be copied for every event.
        self.connection = nil
      } else if let new = try await connect() {
        current = new
      } else {
        isDone = true
        return nil
      }
      defer {
        connection = current
        if let parser = current.stream?.reader {
          lastEventID = parser.lastEventID
          reconnectionTime = parser.reconnectionTime ?? reconnectionTime
        }
      }
      return try await current.next()
    }

    /// Sends the request; nil if the answer is to stop.
    private mutating func connect() async throws -> BodyElements<ServerSentEvent>.AsyncIterator? {
      var request = request
      request.fields[.lastEventID] = lastEventID.isEmpty ? nil : lastEventID
      // Connecting again is this sequence's own business, at the pace that the server asks for.
      request.options.retryPolicy = .never
      let serializer = ServerSentEventConnection(lastEventID: lastEventID)
      let events = try await client.value(for: request, as: serializer)
      sent = events?.source.request
      return events?.makeAsyncIterator()
    }

    /// Lets go of the connection and waits until the next one is due, or gives up.
    private mutating func wait(after failure: ExchangeError?) async throws {
      let hasReceived = connection?.stream?.hasReceived ?? false
      connection = nil
      fruitless = hasReceived ? 0 : fruitless + 1
      guard fruitless < Swift.max(1, policy.attempts) else {
        isDone = true
        throw failure ?? gaveUp()
      }
      let duration = policy.wait(
        after: fruitless,
        requested: reconnectionTime,
        chance: client.random.next()
      )
      do {
        try await client.time.sleep(until: client.time.now.advanced(by: duration))
      } catch {
        isDone = true
        throw error
      }
    }

    private func gaveUp() -> any Error {
      ExchangeError.wrapping(
        ExchangeError(
          .policy,
          "\(fruitless) consecutive connections ended without a byte of the event stream",
          advice: "check why the server ends them, or raise the attempts of the policy"
        ),
        stage: ServerSentEventConnection.stage,
        request: sent ?? request
      )
    }
  }
}

extension BodyElements<ServerSentEvent>.AsyncIterator {
  /// The parser of the stream, which keeps the last event ID and the reconnection time.
  fileprivate var stream: PieceDecoder<ServerSentEventParser>? {
    (decoder as? DecoderBox<PieceDecoder<ServerSentEventParser>>)?.decoder
  }
}

extension HTTPField.Name {
  /// Asks a stream to go on behind an event (WHATWG HTML 9.2.4).
  fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
}

/// The answer to a connection: a stream, or nil if the server has no more to say.
private struct ServerSentEventConnection: ResponseSerializer {
  static let stage = "ServerSentEvents"

  let lastEventID: String
  var name: String { Self.stage }
  var accepts: Acceptance {
    Acceptance(mediaTypes: [MediaRange(.eventStream)], statuses: [200..<201, 204..<205])
  }

  /// Judges the response by itself too, since the pipeline may have no validation.
  func serialize(_ response: Response) async throws -> BodyElements<ServerSentEvent>? {
    if response.status.code == 204 { return nil }
    let expected = response.request?.options.expectedContent ?? accepts
    guard expected.accepts(status: response.status.code) else {
      let status = Format.status(response.status)
      throw ExchangeError(.status, "unexpected status \(status) (expected 200 or 204)")
    }
    guard expected.accepts(response.mediaType) else {
      let type = response.mediaType.map { "\($0)" } ?? "(none)"
      throw ExchangeError(.mediaType, "unexpected content type \(type) (expected \(expected.acceptField))")
    }
    return BodyElements(response, stage: name, lastEventID: lastEventID)
  }
}
