/// The server-sent events of a body, as they arrive (WHATWG HTML 9.2).
///
/// The body is read at the pace of the reader, and once: a second iterator is refused. Leaving the loop before the end
/// cancels the transfer. The stream is read as UTF-8, and ill-formed sequences become U+FFFD; an event that the body
/// cuts off is dropped. A line, or the data of an event, of more than ``RequestOptions/elementLimit`` bytes is an
/// ``ExchangeError`` of kind `limit` with an ``ElementError`` underneath.
///
/// A server that has nothing to say for longer than ``RequestOptions/idleTimeout`` is taken for gone: most send a
/// comment every 15 seconds, for others set the option to nil.
///
/// ```swift
/// for try await event in try await client.get("news", as: .serverSentEvents) {
///   print(event.type, event.data)
/// }
/// ```
///
/// ``Client/serverSentEvents(for:reconnecting:)`` goes on when the connection ends.
public struct ServerSentEvents: AsyncSequence, Sendable {
  let source: ElementSource
  let limit: Int
  /// The ID that the stream was asked to go on behind.
  var lastEventID = ""

  /// An iterator that reads the body.
  public func makeAsyncIterator() -> AsyncIterator {
    let decoder = ServerSentEventDecoder(lastEventID: lastEventID, limit: limit)
    return AsyncIterator(base: ElementIterator(source, decoder))
  }

  /// Iterates over the events of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: ElementIterator<ServerSentEventDecoder>

    /// The next event, nil at the end.
    ///
    /// - Throws: ``ExchangeError``; `CancellationError` if the task is cancelled.
    public mutating func next() async throws -> ServerSentEvent? {
      try await base.next()
    }
  }
}
