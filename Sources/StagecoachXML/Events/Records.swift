internal import StagecoachCore

extension XML {
  /// The elements at a path of a body, each as it is complete.
  ///
  /// No more of the document is held than one element and the chunk that it came in, so the document may be of any
  /// size; ``XML/Limits/nodes`` and ``XML/Limits/textSize`` apply to each element. The body is read at the pace of
  /// the reader, and once; leaving the loop before the end cancels the transfer. What follows the last element is
  /// read and checked too.
  ///
  /// ```swift
  /// for try await item in try await client.get("dump.xml", as: .xmlRecords("list/item", as: Item.self)) {
  ///   print(item)
  /// }
  /// ```
  public struct Records<Output: Sendable>: AsyncSequence, Sendable {
    let source: ElementSource
    let path: ElementPath
    let encoding: String?
    let limits: Limits
    /// Makes, for each iterator, what makes something of an element.
    let make: @Sendable () -> (Record) throws -> Output

    /// An iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      let reader = EventReader(encoding: encoding, limits: limits, path: path)
      return AsyncIterator(base: ElementIterator(source, RecordDecoder(reader, make: make())))
    }

    /// Iterates over the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: ElementIterator<RecordDecoder<Output>>

      /// The next element, nil at the end.
      ///
      /// - Throws: `ExchangeError`, for an element that does not decode with its number and line;
      ///   `CancellationError` if the task is cancelled.
      public mutating func next() async throws -> Output? { try await base.next() }
    }
  }
}

extension XMLDecoder {
  /// What makes, for each reader of records, what decodes one after another: names are looked up once for all.
  func makeRecordReader<Output: Decodable & Sendable>() -> @Sendable () -> (XML.Record) throws -> Output {
    {
      let workspace = DecodingWorkspace(self)
      return { try decode(Output.self, from: $0.batch.storage, at: 0, workspace) }
    }
  }
}

/// Makes values of the elements at a path.
struct RecordDecoder<Output>: ElementDecoder {
  private let reader: EventReader
  private let make: (XML.Record) throws -> Output
  private var pieces = BodyPieces()
  private var records: [XML.EventBatch] = []
  private var position = 0
  private(set) var index = 0
  private var failure: XML.ParseError?
  private var hasFinished = false

  init(_ reader: EventReader, make: @escaping (XML.Record) throws -> Output) {
    self.reader = reader
    self.make = make
  }

  mutating func append(_ chunk: Bytes) { pieces.append(chunk) }

  mutating func next() throws -> Output? {
    while true {
      if position < records.count {
        let record = XML.Record(batch: records[position])
        position += 1
        return try value(of: record)
      }
      if let failure { throw ExchangeError(failure) }
      guard let piece = pieces.next() else { return nil }
      records = []
      do throws(XML.ParseError) { try piece.parse(with: reader) } catch { failure = error }
      records = reader.takeRecords()
      position = 0
    }
  }

  mutating func finish() throws -> Output? {
    if !hasFinished {
      hasFinished = true
      do throws(XML.ParseError) { try reader.finish() } catch { failure = error }
      // The end of an element may have waited for the end of the body.
      records = reader.takeRecords()
      position = 0
    }
    return try next()
  }

  var hasRest: Bool { position < records.count || failure != nil }

  private mutating func value(of record: XML.Record) throws -> Output {
    do {
      defer { index += 1 }
      return try make(record)
    } catch let error as DecodingError {
      throw ExchangeError(
        .serialization,
        "element \(index - 1), in line \(record.line), does not decode as \(Output.self): \(error.reason)",
        underlying: error
      )
    }
  }
}
