extension XML {
  /// A complete element of a stream of elements.
  public struct Record: Sendable {
    let batch: EventBatch

    /// The name of the element.
    public var name: Name { batch.storage.names[Int(batch.storage.records[0].name)] }

    /// The line of the end of its start tag, from 1.
    public var line: Int { Int(batch.storage.records[0].line) }

    /// The element as a value.
    ///
    /// It declares all namespaces that are in scope, so that prefixes in values keep their meaning.
    public var element: Element { Element(batch.storage, at: 0, scope: batch.storage.scope) }

    /// The events of the element, from its start tag to its end tag.
    public var events: EventBatch { batch }
  }
}

extension XML.Element {
  /// The element whose start tag is at a place of a batch that holds all of it.
  ///
  /// - Parameter scope: The namespaces in scope around it.
  init(_ storage: XML.EventBatch.Storage, at start: Int, scope: [String: String]) {
    // The elements that are open, the innermost last.
    var open: [XML.Element] = []
    var index = start
    while true {
      let record = storage.records[index]
      index += 1
      switch record.kind {
      case .startElement:
        var element = XML.Element(storage.name(of: record), namespaces: open.isEmpty ? scope : [:])
        storage.declareNamespaces(of: index - 1, in: &element.namespaces)
        // An empty name takes the default namespace back, which only matters where one is in scope.
        if open.isEmpty, element.namespaces[""] == "" { element.namespaces[""] = nil }
        open.append(element)
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
