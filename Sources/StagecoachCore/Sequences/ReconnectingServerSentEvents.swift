import HTTPTypes

extension Client {
  /// Server-sent events of a request, which is sent again when the connection ends (WHATWG HTML 9.2.3).
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
  ///   - request: What to send, when the first event is asked for and again for each connection. A `Last-Event-ID`
  ///     field of it is where the first connection goes on.
  ///   - policy: How long to wait, and when to give up.
  public func serverSentEvents(
    for request: Request,
    reconnecting policy: ReconnectionPolicy = ReconnectionPolicy()
  ) -> ReconnectingServerSentEvents {
    ReconnectingServerSentEvents(client: self, request: request, policy: policy)
  }
}

/// Server-sent events over as many connections as it takes; see
/// ``Client/serverSentEvents(for:reconnecting:)``.
///
/// It reconnects when a stream ends and after a failure of a passing nature (``ExchangeError/isTransient``),
/// with the last ID that the server gave as `Last-Event-ID`, after the time that the server asked for or
/// the policy sets, on the clock of the client. An answer of 204 ends the sequence. Any other status but
/// 200, another media type than `text/event-stream`, and every other failure are thrown; so is the last
/// failure once the policy gives up, or kind `policy` if there was none. ``RequestOptions/totalTimeout`` is for each
/// connection.
///
/// Each iterator makes connections of its own. Leaving the loop ends the one it has.
public struct ReconnectingServerSentEvents: AsyncSequence, Sendable {
  let client: Client
  let request: Request
  let policy: ReconnectionPolicy

  /// An iterator, which connects when the first event is asked for.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(client: client, request: request, policy: policy)
  }

  /// Iterates over events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let client: Client
    private let request: Request
    private let policy: ReconnectionPolicy
    private var connection: ServerSentEvents.AsyncIterator?
    /// What the last connection was asked with, complete, for errors to show.
    private var sent: Request?
    private var lastEventID: String
    private var reconnectionTime: Duration?
    /// How many connections in a row brought nothing.
    private var fruitless = 0
    private var isDone = false

    init(client: Client, request: Request, policy: ReconnectionPolicy) {
      self.client = client
      self.request = request
      self.policy = policy
      lastEventID = request.fields[.lastEventID] ?? ""
    }

    /// The next event, nil after an answer of 204.
    ///
    /// - Throws: ``ExchangeError``; `CancellationError` if the task is cancelled.
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

    /// The next event of the connection, which is made if there is none; nil at its end.
    private mutating func nextOfConnection() async throws -> ServerSentEvent? {
      var current: ServerSentEvents.AsyncIterator
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
        lastEventID = current.base.decoder.parser.lastEventID
        reconnectionTime = current.base.decoder.parser.reconnectionTime ?? reconnectionTime
      }
      return try await current.next()
    }

    /// Sends the request; nil if the answer is to stop.
    private mutating func connect() async throws -> ServerSentEvents.AsyncIterator? {
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
      let hasReceived = connection?.base.decoder.hasReceived ?? false
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
          "\(fruitless) connections in a row ended without a byte of the event stream",
          advice: "see why the server ends them, or raise the policy's attempts"
        ),
        stage: ServerSentEventConnection.stage,
        request: sent ?? request
      )
    }
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
  func serialize(_ response: Response) async throws -> ServerSentEvents? {
    if response.status.code == 204 { return nil }
    let expected = response.request?.options.expectedContent ?? accepts
    guard expected.accepts(status: response.status.code) else {
      let status = Format.status(response.status)
      throw ExchangeError(.status, "the status is \(status), acceptable are 200 and 204")
    }
    guard expected.accepts(response.mediaType) else {
      let type = response.mediaType.map { "\($0)" } ?? "of no declared type"
      throw ExchangeError(.mediaType, "the content is \(type), acceptable is \(expected.acceptField)")
    }
    return ServerSentEvents(
      source: ElementSource(response, stage: name),
      limit: response.elementLimit,
      lastEventID: lastEventID
    )
  }
}
