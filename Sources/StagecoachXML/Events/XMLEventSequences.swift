internal import StagecoachCore
public import StagecoachSerializers

extension XML {
  /// The events of a body, as it arrives.
  ///
  /// The body is read once, at the pace of the reader: a second iterator is refused. Leaving the loop before the end
  /// cancels the transfer. The document is not stored, so it may be of any size. An error is an `ExchangeError` with
  /// an underlying ``XML/ParseError``, which has line and column, after the events before it.
  ///
  /// ```swift
  /// for try await event in try await client.get("feed.xml", as: .xmlEvents) {
  ///   if case .startElement(let tag) = event { print(tag.name.localName) }
  /// }
  /// ```
  ///
  /// ``batches`` provides the same events faster.
  public struct Events: AsyncSequence, Sendable {
    let source: ElementSource
    let encoding: String?
    let limits: Limits

    /// The same events in batches, one for each chunk of the body.
    public var batches: BodyElements<EventBatch> {
      BodyElements(source) { [encoding, limits] in
        BatchDecoder(EventReader(encoding: encoding, limits: limits))
      }
    }

    /// Returns an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(batches: batches.makeAsyncIterator()) }

    /// An iterator over the events of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var batches: BodyElements<EventBatch>.AsyncIterator
      var events: EventBatch.Iterator?

      init(batches: BodyElements<EventBatch>.AsyncIterator) { self.batches = batches }

      /// Returns the next event; `nil` at the end.
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
}

/// Makes batches of the chunks of a body.
struct BatchDecoder: ElementDecoder {
  private let reader: EventReader
  private var pieces = BodyPieces()
  private(set) var index = 0
  /// The error that ended the parse, thrown after the events before it.
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
