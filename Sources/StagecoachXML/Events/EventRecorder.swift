internal import CLibXML2

/// Records the events of a document on a tape: all of them, or those of the elements at a path.
final class EventRecorder: EventDriver {
  /// A limit that only what is recorded counts against.
  struct Excess: Error {
    let name: StaticString
    let limit: Int
  }

  private struct Position {
    /// The number of open elements; only counted if there is a path.
    var depth = 0
    /// The number of open elements, from the root, that match the steps of the path.
    var matched = 0
    var isRecording: Bool
  }

  private let path: XML.ElementPath?
  private let nodeLimit: Int
  private let textLimit: Int
  private let nameLimit: Int
  /// Behind a pointer, which spares the checks for overlapping access with every event.
  private let tape = UnsafeMutablePointer<EventTape>.allocate(capacity: 1)
  private var declaration = XML.Declaration()

  private let position = UnsafeMutablePointer<Position>.allocate(capacity: 1)
  /// The elements at the path that are complete and were not taken yet. They get the names when they are taken,
  /// all the same: the table would be copied when it grows.
  private var records: [(content: EventTape.Content, scope: [String: String])] = []
  /// The namespaces in scope in the elements that are open on the way to the path, the innermost last.
  private var scopes: [[String: String]] = [[:]]

  /// A recorder.
  ///
  /// - Parameter path: Where the elements are that matter; nil for everything.
  init(limits: XML.Limits, path: XML.ElementPath? = nil) {
    self.path = path
    // A tape uses 32-bit positions.
    nodeLimit = min(limits.nodes, 1 << 30)
    textLimit = min(limits.textSize, 1 << 31)
    nameLimit = min(limits.distinctNames, EventRecord.nameLimit)
    position.initialize(to: Position(isRecording: path == nil))
    tape.initialize(to: EventTape())
    super.init(limits: limits)
  }

  deinit {
    tape.deinitialize(count: 1)
    tape.deallocate()
    position.deinitialize(count: 1)
    position.deallocate()
  }

  /// Reserves space for a document of this size that is recorded completely.
  func reserve(documentSize: Int) {
    tape.pointee.reserve(documentSize: min(documentSize, textLimit))
  }

  /// Hands over what has been recorded since the last time; nil if that is nothing.
  ///
  /// - Parameter isLast: Whether no more characters can follow those at the end.
  func takeBatch(isLast: Bool) -> XML.EventBatch? {
    tape.pointee.take(isLast: isLast).map { batch(of: $0, names: names.pointee.names, scope: [:]) }
  }

  /// Hands over the elements that became complete, in order.
  func takeRecords() -> [XML.EventBatch] {
    defer { records = [] }
    let names = names.pointee.names
    return records.map { batch(of: $0.content, names: names, scope: $0.scope) }
  }

  private func batch(
    of content: EventTape.Content,
    names: [XML.Name],
    scope: [String: String]
  ) -> XML.EventBatch {
    XML.EventBatch(
      storage: XML.EventBatch.Storage(
        content,
        names: names,
        declaration: declaration,
        scope: scope
      )
    )
  }

  override func startDocument(_ declaration: XML.Declaration) throws {
    self.declaration = declaration
    if position.pointee.isRecording { tape.pointee.append(.startDocument, line: 1) }
  }

  override func endDocument() throws {
    if position.pointee.isRecording { tape.pointee.append(.endDocument, line: tape.pointee.lastLine) }
  }

  override func reportStart(
    _ tag: UnsafePointer<SAXStartTag>,
    at context: UnsafeMutableRawPointer
  ) throws {
    let tag = tag.pointee
    if let path, !position.pointee.isRecording {
      position.pointee.depth += 1
      guard position.pointee.matched == position.pointee.depth - 1,
        path.steps[position.pointee.matched].matches(tag.name)
      else { return }
      position.pointee.matched += 1
      guard position.pointee.matched == path.steps.count else { return enterScope(of: tag) }
      position.pointee.isRecording = true
    } else if path != nil {
      position.pointee.depth += 1
    }
    let mark = tape.pointee.mark
    do {
      try write(tag, line: UInt32(truncatingIfNeeded: line(at: context)))
    } catch {
      // An incomplete tag is dropped.
      tape.pointee.rewind(to: mark)
      throw error
    }
  }

  private func enterScope(of tag: SAXStartTag) {
    var scope = scopes.last ?? [:]
    for index in 0..<Int(tag.namespaceCount) {
      let (prefix, uri) = tag.namespace(index)
      scope[String(libxml: prefix)] = String(libxml: uri)
    }
    scopes.append(scope)
  }

  private func write(_ tag: SAXStartTag, line: UInt32) throws(Excess) {
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

  override func reportEnd(_ name: SAXName, at context: UnsafeMutableRawPointer) throws {
    if position.pointee.isRecording {
      tape.pointee.endElement(line: UInt32(truncatingIfNeeded: line(at: context)))
    }
    guard let path else { return }
    if position.pointee.isRecording, position.pointee.depth == path.steps.count {
      position.pointee.isRecording = false
      if let record = tape.pointee.take(isLast: true) { records.append((record, scopes.last ?? [:])) }
    }
    if position.pointee.matched == position.pointee.depth {
      if position.pointee.matched < path.steps.count { scopes.removeLast() }
      position.pointee.matched -= 1
    }
    position.pointee.depth -= 1
  }

  override func reportCharacters(
    _ kind: EventRecord.Kind,
    _ text: UnsafeBufferPointer<UInt8>,
    at context: UnsafeMutableRawPointer
  ) throws {
    guard position.pointee.isRecording else { return }
    tape.pointee.appendCharacters(kind, bytes: text, line: UInt32(truncatingIfNeeded: line(at: context)))
    try checkRecord()
  }

  override func reportComment(_ text: UnsafeBufferPointer<UInt8>, at context: UnsafeMutableRawPointer) throws
  {
    guard position.pointee.isRecording else { return }
    tape.pointee.append(.comment, bytes: text, line: UInt32(truncatingIfNeeded: line(at: context)))
    try checkRecord()
  }

  override func reportProcessingInstruction(
    target: UnsafePointer<xmlChar>?,
    data: UnsafeBufferPointer<UInt8>,
    at context: UnsafeMutableRawPointer
  ) throws {
    guard position.pointee.isRecording else { return }
    let name = try index(of: SAXName(local: target))
    tape.pointee.append(
      .processingInstruction,
      name: name,
      bytes: data,
      line: UInt32(truncatingIfNeeded: line(at: context))
    )
    try checkRecord()
  }

  private func index(of name: SAXName) throws(Excess) -> Int {
    let index = names.pointee.index(name)
    guard index < nameLimit else {
      throw Excess(name: "distinctNames", limit: nameLimit)
    }
    return index
  }

  /// Checks the size of the current record, or of the document if all of it is recorded.
  @inline(__always)
  private func checkRecord() throws(Excess) {
    guard tape.pointee.nodeCount <= nodeLimit else {
      throw Excess(name: "nodes", limit: nodeLimit)
    }
    guard tape.pointee.byteCount <= textLimit else {
      throw Excess(name: "textSize", limit: textLimit)
    }
  }
}
