/// Where events are written until they become a batch.
struct EventTape {
  /// What is complete, without the names it refers to.
  struct Content {
    let records: [EventRecord]
    let bytes: [UInt8]
  }

  /// How far the tape has been written.
  struct Mark {
    fileprivate let records: Int
    fileprivate let bytes: Int
    fileprivate let open: Int
  }

  var mark: Mark { Mark(records: records.count, bytes: bytes.count, open: open.count) }

  /// Takes back what was written since.
  mutating func rewind(to mark: Mark) {
    records.removeSubrange(mark.records...)
    bytes.removeSubrange(mark.bytes...)
    open.removeSubrange(mark.open...)
  }

  private(set) var records: [EventRecord] = []
  private(set) var bytes: [UInt8] = []
  /// The elements that are open: their start tags, -1 for those in an earlier batch, and their names.
  private var open: [(start: Int, name: Int)] = []

  /// The ends of elements, which are no nodes.
  private var ends = 0

  /// How many nodes there would be in a tree.
  var nodeCount: Int { records.count - ends }
  var byteCount: Int { bytes.count }
  var lastLine: UInt32 { records.last?.line ?? 1 }

  /// Makes room for a document of so many bytes, as documents are.
  mutating func reserve(documentSize: Int) {
    bytes.reserveCapacity(documentSize / 2)
    records.reserveCapacity(documentSize / 12)
  }

  mutating func append(_ kind: EventRecord.Kind, name: Int = 0, line: UInt32) {
    let end = UInt32(truncatingIfNeeded: bytes.count)
    records.append(
      EventRecord(
        start: end,
        count: 0,
        name: UInt32(truncatingIfNeeded: name),
        next: 0,
        line: line,
        kind: kind
      )
    )
  }

  mutating func append(
    _ kind: EventRecord.Kind,
    name: Int = 0,
    bytes text: UnsafeBufferPointer<UInt8>,
    line: UInt32
  ) {
    let start = UInt32(truncatingIfNeeded: bytes.count)
    bytes.append(contentsOf: text)
    records.append(
      EventRecord(
        start: start,
        count: UInt32(truncatingIfNeeded: text.count),
        name: UInt32(truncatingIfNeeded: name),
        next: 0,
        line: line,
        kind: kind
      )
    )
  }

  /// Appends characters to the event before, if that is of the same kind.
  mutating func appendCharacters(
    _ kind: EventRecord.Kind,
    bytes text: UnsafeBufferPointer<UInt8>,
    line: UInt32
  ) {
    guard let last = records.indices.last, records[last].kind == kind else {
      return append(kind, bytes: text, line: line)
    }
    bytes.append(contentsOf: text)
    records[last].count += UInt32(truncatingIfNeeded: text.count)
    records[last].line = line
  }

  mutating func startElement(name: Int, line: UInt32) {
    open.append((records.count, name))
    append(.startElement, name: name, line: line)
  }

  mutating func endElement(line: UInt32) {
    guard let (start, name) = open.popLast() else { return }
    append(.endElement, name: name, line: line)
    ends &+= 1
    if start >= 0 { records[start].next = UInt32(truncatingIfNeeded: records.count) }
  }

  /// Hands over what is complete. Characters at the end stay, since more of them may come.
  mutating func take(isLast: Bool) -> Content? {
    guard let last = records.last else { return nil }
    let keeps = !isLast && (last.kind == .text || last.kind == .cdata)
    guard !keeps || records.count > 1 else { return nil }
    var kept: [UInt8] = []
    if keeps {
      kept = Array(bytes[Int(last.start)...])
      records.removeLast()
      bytes.removeSubrange(Int(last.start)...)
    }
    let content = Content(records: records, bytes: bytes)
    let (capacity, byteCapacity) = (records.count, bytes.count)
    records = []
    ends = 0
    records.reserveCapacity(capacity + capacity / 8)
    bytes = kept
    bytes.reserveCapacity(byteCapacity + byteCapacity / 8)
    if keeps { records.append(last.moved(to: 0)) }
    for index in open.indices { open[index].start = -1 }
    return content
  }
}

extension EventRecord {
  fileprivate func moved(to start: UInt32) -> EventRecord {
    var record = self
    record.start = start
    return record
  }
}
