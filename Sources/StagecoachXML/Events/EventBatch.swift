extension XML {
  /// The events of one chunk of a document, in order.
  ///
  /// A batch stores names and text as bytes, and creates a `String` on demand. It is an independent value that needs
  /// neither the parser nor the chunk.
  ///
  /// ```swift
  /// for event in try XML.EventBatch(parsing: bytes) {
  ///   if case .startElement(let tag) = event, tag.name.localName == "title" { print(tag) }
  /// }
  /// ```
  public struct EventBatch: Sendable {
    /// The data that events refer to: one object, so that an event holds a single reference.
    final class Storage: Sendable {
      let records: TapeValues<EventRecord>
      let bytes: TapeValues<UInt8>
      let names: [Name]
      let declaration: Declaration
      /// The namespaces in scope where the records begin, by prefix.
      let scope: [String: String]

      init(
        _ content: EventTape.Content,
        names: [Name],
        declaration: Declaration,
        scope: [String: String] = [:]
      ) {
        records = content.records
        bytes = content.bytes
        self.names = names
        self.declaration = declaration
        self.scope = scope
      }

      /// The bytes of a record, valid while `body` runs.
      @inline(__always)
      func withBytes<Result>(
        of record: EventRecord,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
      ) rethrows -> Result {
        try bytes.withUnsafeBufferPointer {
          try body(UnsafeBufferPointer(rebasing: $0[Int(record.start)..<Int(record.start + record.count)]))
        }
      }

      /// The text of a record.
      func string(of record: EventRecord) -> String {
        withBytes(of: record) { String(decoding: $0, as: UTF8.self) }
      }

      func name(of record: EventRecord) -> Name { names[Int(record.name)] }

      /// Adds the namespaces that a start tag declares to those in scope around it.
      func declareNamespaces(of tag: Int, in scope: inout [String: String]) {
        var index = tag + 1
        while records[index].kind == .namespace {
          scope[name(of: records[index]).localName] = string(of: records[index])
          index += 1
        }
      }
    }

    let storage: Storage

    /// Whether there is no event.
    public var isEmpty: Bool { storage.records.isEmpty }
  }
}

extension XML.EventBatch: Sequence {
  /// An iterator over the events.
  public struct Iterator: IteratorProtocol {
    private let storage: Storage
    private var index = 0

    init(_ storage: Storage) { self.storage = storage }

    /// Returns the next event; `nil` at the end.
    public mutating func next() -> XML.Event? {
      guard index < storage.records.count else { return nil }
      let current = index
      index += 1
      switch storage.records[current].kind {
      case .startDocument: return .startDocument(storage.declaration)
      case .endDocument: return .endDocument
      case .startElement:
        while index < storage.records.count, storage.records[index].isPartOfTag { index += 1 }
        return .startElement(XML.StartTag(storage: storage, index: current, end: index))
      case .endElement: return .endElement(XML.EndTag(storage: storage, index: current))
      case .text: return .text(XML.Text(storage: storage, index: current))
      case .cdata: return .cdata(XML.Text(storage: storage, index: current))
      case .comment: return .comment(XML.Text(storage: storage, index: current))
      case .processingInstruction:
        return .processingInstruction(XML.ProcessingInstruction(storage: storage, index: current))
      case .namespace, .attribute: return next()  // never without a start tag
      }
    }
  }

  /// Returns an iterator over the events.
  public func makeIterator() -> Iterator { Iterator(storage) }
}

extension EventRecord {
  var isPartOfTag: Bool { kind == .attribute || kind == .namespace }
}
