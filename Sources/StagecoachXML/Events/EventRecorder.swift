internal import CLibXML2

/// Writes the events of a document to a tape: all of them, or those of the elements at a path.
final class EventRecorder: EventDriver {
  /// A limit that only what is recorded counts against.
  struct Excess: Error {
    let name: StaticString
    let limit: Int
  }

  private let path: XML.ElementPath?
  private var recordLimits: XML.Limits
  /// Behind a pointer, which spares the checks for overlapping access with every event.
  private let tape = UnsafeMutablePointer<EventTape>.allocate(capacity: 1)
  private var declaration = XML.Declaration()

  /// How many elements are open.
  private var depth = 0
  /// How many of them, from the root on, fulfil a step of the path each.
  private var matched = 0
  private var isRecording: Bool
  /// The elements at the path that are complete and were not taken yet, in reverse order.
  private var records: [XML.EventBatch] = []

  /// A recorder.
  ///
  /// - Parameter path: Where the elements are that matter; nil for everything.
  init(limits: XML.Limits, path: XML.ElementPath? = nil) {
    self.path = path
    recordLimits = limits
    // A tape counts in 32 bits.
    recordLimits.textSize = min(limits.textSize, 1 << 31)
    recordLimits.nodes = min(limits.nodes, 1 << 30)
    isRecording = path == nil
    tape.initialize(to: EventTape())
    super.init(limits: limits)
  }

  deinit {
    tape.deinitialize(count: 1)
    tape.deallocate()
  }

  /// Hands over what has been recorded since the last time; nil if that is nothing.
  ///
  /// - Parameter isLast: Whether no more characters can follow those at the end.
  func takeBatch(isLast: Bool) -> XML.EventBatch? {
    tape.pointee.take(names: names.pointee.names, declaration: declaration, isLast: isLast)
  }

  /// Hands over the elements that became complete, in order.
  func takeRecords() -> [XML.EventBatch] {
    defer { records = [] }
    return records
  }

  override func startDocument(_ declaration: XML.Declaration) throws {
    self.declaration = declaration
    if isRecording { tape.pointee.append(.startDocument, line: 1) }
  }

  override func endDocument() throws {
    if isRecording { tape.pointee.append(.endDocument, line: tape.pointee.lastLine) }
  }

  override func startElement(_ tag: SAXStartTag, line: Int) throws {
    if let path, !isRecording {
      depth += 1
      guard matched == depth - 1, path.steps[matched].matches(tag.name) else { return }
      matched += 1
      guard matched == path.steps.count else { return }
      isRecording = true
    } else if path != nil {
      depth += 1
    }
    let line = UInt32(truncatingIfNeeded: line)
    tape.pointee.startElement(name: try index(of: tag.name), line: line)
    for index in 0..<Int(tag.namespaceCount) {
      let (prefix, uri) = tag.namespace(index)
      // The default namespace has no prefix; its name is empty.
      let name = try self.index(of: SAXName(local: prefix))
      tape.pointee.append(.namespace, name: name, bytes: bytes(of: uri), line: line)
    }
    for index in 0..<Int(tag.attributeCount) {
      let name = try self.index(of: tag.attributeName(index))
      tape.pointee.append(.attribute, name: name, bytes: tag.value(index), line: line)
    }
    try checkRecord()
  }

  override func endElement(_ name: SAXName, line: Int) throws {
    if isRecording {
      tape.pointee.endElement(name: try index(of: name), line: UInt32(truncatingIfNeeded: line))
    }
    guard let path else { return }
    if isRecording, depth == path.steps.count {
      isRecording = false
      if let record = takeBatch(isLast: true) { records.append(record) }
    }
    if matched == depth { matched -= 1 }
    depth -= 1
  }

  override func characters(
    _ kind: EventRecord.Kind,
    _ text: UnsafeBufferPointer<UInt8>,
    line: Int
  ) throws {
    guard isRecording else { return }
    tape.pointee.appendCharacters(kind, bytes: text, line: UInt32(truncatingIfNeeded: line))
    try checkRecord()
  }

  override func comment(_ text: UnsafeBufferPointer<UInt8>, line: Int) throws {
    guard isRecording else { return }
    tape.pointee.append(.comment, bytes: text, line: UInt32(truncatingIfNeeded: line))
    try checkRecord()
  }

  override func processingInstruction(
    target: UnsafePointer<xmlChar>?,
    data: UnsafeBufferPointer<UInt8>,
    line: Int
  ) throws {
    guard isRecording else { return }
    let name = try index(of: SAXName(local: target))
    tape.pointee.append(
      .processingInstruction,
      name: name,
      bytes: data,
      line: UInt32(truncatingIfNeeded: line)
    )
    try checkRecord()
  }

  private func index(of name: SAXName) throws(Excess) -> Int {
    let index = names.pointee.index(name)
    guard index < recordLimits.distinctNames else {
      throw Excess(name: "distinct names", limit: recordLimits.distinctNames)
    }
    return index
  }

  /// Checks the size of the record that is being written, or of the document if all of it is kept.
  private func checkRecord() throws(Excess) {
    guard tape.pointee.nodeCount <= recordLimits.nodes else {
      throw Excess(name: "nodes", limit: recordLimits.nodes)
    }
    guard tape.pointee.byteCount <= recordLimits.textSize else {
      throw Excess(name: "text size", limit: recordLimits.textSize)
    }
  }
}
