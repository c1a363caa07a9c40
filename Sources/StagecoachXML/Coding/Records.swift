internal import StagecoachCore
public import StagecoachSerializers

extension XML {
  /// The elements at a path of a body, each available when it is complete.
  ///
  /// Only one element and the chunk that it arrived in are kept, so the document may be of any size;
  /// ``XML/Limits/nodes`` and ``XML/Limits/textSize`` apply to each element. The body is read once, at the pace of the
  /// reader; leaving the loop before the end cancels the transfer. The document after the last element is read and
  /// checked too.
  ///
  /// ```swift
  /// struct Item: Decodable, Sendable { var title: String }
  /// for try await item in try await client.get("dump.xml", as: .xmlRecords("list/item", as: Item.self)) {
  ///   print(item)
  /// }
  /// ```
  public typealias Records<Output: Sendable> = BodyElements<Output>
}

extension BodyElements {
  /// - Parameter make: Makes, for each iterator, what makes something of an element.
  init(
    _ source: ElementSource,
    path: XML.ElementPath,
    encoding: String?,
    limits: XML.Limits,
    make: @escaping @Sendable () -> (XML.Record) throws -> Element
  ) {
    self.init(source) {
      RecordDecoder(EventReader(encoding: encoding, limits: limits, path: path), make: make())
    }
  }
}

extension XMLDecoder {
  /// Returns a function that creates a decoder of successive records for each reader: names are looked up once for all
  /// records.
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
        "element \(index - 1), in line \(record.line), cannot be decoded as \(Output.self): \(error.reason)",
        underlying: error
      )
    }
  }
}
