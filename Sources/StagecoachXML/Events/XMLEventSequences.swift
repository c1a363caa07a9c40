internal import StagecoachCore

extension XML {
  /// The events of a body, as it arrives.
  ///
  /// The body is read at the pace of the reader, and once: a second iterator is refused. Leaving the loop before the
  /// end cancels the transfer. Nothing of the document is kept, so it may be of any size. An error is an
  /// `ExchangeError` over an ``XML/ParseError`` with line and column, behind the events that came before it.
  ///
  /// ```swift
  /// for try await event in try await client.get("feed.xml", as: .xmlEvents) {
  ///   if case .startElement(let tag) = event { print(tag.name.localName) }
  /// }
  /// ```
  ///
  /// ``batches`` is the faster way through the same events.
  public struct Events: AsyncSequence, Sendable {
    let source: ElementSource
    let encoding: String?
    let limits: Limits

    /// The same events, as many at a time as a chunk of the body brings.
    public var batches: EventBatches { EventBatches(source: source, encoding: encoding, limits: limits) }

    /// An iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(batches: batches.makeAsyncIterator()) }

    /// Iterates over the events of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var batches: EventBatches.AsyncIterator
      var events: EventBatch.Iterator?

      init(batches: EventBatches.AsyncIterator) { self.batches = batches }

      /// The next event, nil at the end.
      ///
      /// - Throws: `ExchangeError`; `CancellationError` if the task is cancelled.
      public mutating func next() async throws -> Event? {
        while true {
          if let event = events?.next() { return event }
          guard let batch = try await batches.next() else { return nil }
          events = batch.makeIterator()
        }
      }
    }
  }

  /// The events of a body, batch by batch as it arrives.
  ///
  /// As with ``Events``, the body is read once, at the pace of the reader, and leaving the loop cancels the transfer.
  public struct EventBatches: AsyncSequence, Sendable {
    let source: ElementSource
    let encoding: String?
    let limits: Limits

    /// An iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      let reader = EventReader(encoding: encoding, limits: limits)
      return AsyncIterator(base: ElementIterator(source, BatchDecoder(reader)))
    }

    /// Iterates over the batches of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: ElementIterator<BatchDecoder>

      /// The next batch, which is not empty; nil at the end.
      ///
      /// - Throws: `ExchangeError`; `CancellationError` if the task is cancelled.
      public mutating func next() async throws -> EventBatch? { try await base.next() }
    }
  }
}

/// Makes batches of the chunks of a body.
struct BatchDecoder: ElementDecoder {
  private let reader: EventReader
  private var pieces = BodyPieces()
  private(set) var index = 0
  /// What ended the parse, to be told behind the events that came before.
  private var failure: XML.ParseError?

  init(_ reader: EventReader) { self.reader = reader }

  mutating func append(_ chunk: Bytes) { pieces.append(chunk) }

  mutating func next() throws -> XML.EventBatch? {
    while failure == nil, let piece = pieces.next() {
      parse { reader throws(XML.ParseError) in try piece.parse(with: reader) }
      if let batch = take(isLast: failure != nil) { return batch }
    }
    if let failure { throw ExchangeError(failure) }
    return nil
  }

  mutating func finish() throws -> XML.EventBatch? {
    if let failure { throw ExchangeError(failure) }
    parse { reader throws(XML.ParseError) in try reader.finish() }
    if let batch = take(isLast: true) { return batch }
    if let failure { throw ExchangeError(failure) }
    return nil
  }

  var hasRest: Bool { failure != nil }

  private mutating func parse(_ step: (EventReader) throws(XML.ParseError) -> Void) {
    do throws(XML.ParseError) { try step(reader) } catch { failure = error }
  }

  private mutating func take(isLast: Bool) -> XML.EventBatch? {
    let batch = reader.takeBatch(isLast: isLast)
    if batch != nil { index += 1 }
    return batch
  }
}

/// Cuts chunks into pieces that are parsed at a time.
struct BodyPieces {
  private var rest = Bytes()

  mutating func append(_ chunk: Bytes) { rest = chunk }

  mutating func next() -> Bytes? {
    guard !rest.isEmpty else { return nil }
    let piece = rest.prefix(EventReader.step)
    rest = rest.dropFirst(piece.count)
    return piece
  }
}

extension Bytes {
  func parse(with reader: EventReader) throws(XML.ParseError) {
    try withUnsafeBytes { bytes throws(XML.ParseError) in try reader.append(bytes) }
  }
}
