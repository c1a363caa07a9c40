internal import CLibXML2
internal import StagecoachCore

/// Makes batches, or the elements at a path, of chunks of a document.
final class EventReader {
  private let recorder: EventRecorder
  private let parser: PushParser

  /// The number of bytes that are parsed before their events are passed on, so that a document in memory, which is a
  /// single chunk, is not stored twice.
  static let step = 64 << 10

  init(encoding: String?, limits: XML.Limits, path: XML.ElementPath? = nil) {
    recorder = EventRecorder(limits: limits, path: path)
    parser = PushParser(encoding: encoding, for: recorder)
  }

  func reserve(documentSize: Int) { recorder.reserve(documentSize: documentSize) }

  func append(_ bytes: UnsafeRawBufferPointer) throws(XML.ParseError) {
    try parser.append(bytes)
  }

  func finish() throws(XML.ParseError) {
    xmlFreeDoc(try parser.finish())
  }

  func takeBatch(isLast: Bool) -> XML.EventBatch? { recorder.takeBatch(isLast: isLast) }

  func takeRecords() -> [XML.EventBatch] { recorder.takeRecords() }
}

extension XML.EventBatch {
  /// All events of a document, within its limits.
  static func parsing(
    _ document: UnsafeRawBufferPointer,
    encoding: String? = nil,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ParseError) -> XML.EventBatch {
    let reader = EventReader(encoding: encoding, limits: limits)
    reader.reserve(documentSize: document.count)
    try reader.append(document)
    try reader.finish()
    guard let batch = reader.takeBatch(isLast: true) else { throw XML.ParseError(reason: .empty) }
    return batch
  }
}
