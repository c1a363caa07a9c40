/// A tape to which events are written until they become a batch.
struct EventTape: ~Copyable {
  /// The complete part, without the names it refers to.
  struct Content {
    let records: TapeValues<EventRecord>
    let bytes: TapeValues<UInt8>
  }

  /// A position on the tape.
  struct Mark {
    fileprivate let records: Int
    fileprivate let bytes: Int
    fileprivate let open: Int
  }

  /// An element that is open.
  private struct OpenElement: BitwiseCopyable {
    /// Its start tag, -1 if that is in an earlier batch.
    var start: Int
    var name: Int
  }

  private var records = TapeBuffer<EventRecord>()
  private var bytes = TapeBuffer<UInt8>()
  private var open = TapeBuffer<OpenElement>()
  /// The number of ends of elements, which are not nodes.
  private var ends = 0

  var mark: Mark {
    @inline(__always) get { Mark(records: records.count, bytes: bytes.count, open: open.count) }
  }

  /// Takes back what was written since.
  mutating func rewind(to mark: Mark) {
    records.truncate(to: mark.records)
    bytes.truncate(to: mark.bytes)
    open.truncate(to: mark.open)
  }

  /// The number of nodes of an equivalent tree.
  var nodeCount: Int {
    @inline(__always) get { records.count - ends }
  }

  var byteCount: Int {
    @inline(__always) get { bytes.count }
  }

  var lastLine: UInt32 { records.last?.line ?? 1 }

  /// Reserves space for a typical document of this size.
  mutating func reserve(documentSize: Int) {
    bytes.reserve(documentSize / 2)
    records.reserve(documentSize / 8)
  }

  @inline(__always)
  mutating func append(_ kind: EventRecord.Kind, name: Int = 0, line: UInt32) {
    records.append(EventRecord(kind, name: name, start: bytes.count, count: 0, line: line))
  }

  @inline(__always)
  mutating func append(
    _ kind: EventRecord.Kind,
    name: Int = 0,
    bytes text: UnsafeBufferPointer<UInt8>,
    line: UInt32
  ) {
    records.append(EventRecord(kind, name: name, start: bytes.count, count: text.count, line: line))
    bytes.append(contentsOf: text)
  }

  /// Appends characters to the event before, if that is of the same kind.
  @inline(__always)
  mutating func appendCharacters(
    _ kind: EventRecord.Kind,
    bytes text: UnsafeBufferPointer<UInt8>,
    line: UInt32
  ) {
    guard var last = records.last, last.kind == kind else {
      return append(kind, bytes: text, line: line)
    }
    bytes.append(contentsOf: text)
    last.count += UInt32(truncatingIfNeeded: text.count)
    last.line = line
    records[records.count - 1] = last
  }

  @inline(__always)
  mutating func startElement(name: Int, line: UInt32) {
    open.append(OpenElement(start: records.count, name: name))
    append(.startElement, name: name, line: line)
  }

  @inline(__always)
  mutating func endElement(line: UInt32) {
    guard let element = open.last else { return }
    open.truncate(to: open.count - 1)
    append(.endElement, name: element.name, line: line)
    ends &+= 1
    if element.start >= 0 { records[element.start].next = UInt32(truncatingIfNeeded: records.count) }
  }

  /// Hands over what is complete. Characters at the end stay, since more of them may come.
  mutating func take(isLast: Bool) -> Content? {
    guard var last = records.last else { return nil }
    let keeps = !isLast && (last.kind == .text || last.kind == .cdata)
    guard keeps else { return takeAll() }
    guard records.count > 1 else { return nil }
    records.truncate(to: records.count - 1)
    let content = takeAll()
    // They stay behind what is handed over too, where no record refers to them.
    let start = Int(last.start), count = Int(last.count)
    content.bytes.withUnsafeBufferPointer {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start..<start + count]))
    }
    last.start = 0
    records.append(last)
    return content
  }

  /// Hands over everything.
  mutating func takeAll() -> Content {
    let content = Content(records: records.take(), bytes: bytes.take())
    ends = 0
    for index in 0..<open.count { open[index].start = -1 }
    return content
  }
}
