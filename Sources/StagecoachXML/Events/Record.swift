extension XML {
  /// One element of a stream of elements, complete.
  public struct Record: Sendable {
    let batch: EventBatch

    /// The name of the element.
    public var name: Name { batch.storage.names[Int(batch.storage.records[0].name)] }

    /// The line in which its start tag ends, from 1.
    public var line: Int { Int(batch.storage.records[0].line) }

    /// The element as a value.
    public var element: Element { Element(batch.storage, at: 0) }

    /// The events of the element, from its start tag to its end tag.
    public var events: EventBatch { batch }
  }
}

extension XML.Element {
  /// The element whose start tag is at a place of a batch that holds all of it.
  init(_ storage: XML.EventBatch.Storage, at start: Int) {
    // The elements that are open, the innermost last.
    var open: [XML.Element] = []
    var index = start
    while true {
      let record = storage.records[index]
      index += 1
      switch record.kind {
      case .startElement:
        open.append(XML.Element(storage.name(of: record)))
      case .attribute:
        let attribute = Attribute(storage.name(of: record), storage.string(of: record))
        open[open.count - 1].attributes.append(attribute)
      case .endElement:
        let element = open.removeLast()
        if open.isEmpty {
          self = element
          return
        }
        open[open.count - 1].children.append(.element(element))
      case .text: open[open.count - 1].children.append(.text(storage.string(of: record)))
      case .cdata: open[open.count - 1].children.append(.cdata(storage.string(of: record)))
      case .comment: open[open.count - 1].children.append(.comment(storage.string(of: record)))
      case .processingInstruction:
        let target = storage.name(of: record).localName
        open[open.count - 1].children.append(
          .processingInstruction(target: target, data: storage.string(of: record))
        )
      case .namespace, .startDocument, .endDocument: break
      }
    }
  }
}
