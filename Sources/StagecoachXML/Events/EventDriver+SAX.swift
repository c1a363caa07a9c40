internal import CLibXML2

// Nothing is retained for a callback, and all that they do is in the methods of the driver: a document has
// millions of them.
extension EventDriver {
  static func installDocument(in sax: xmlSAXHandlerPtr) {
    sax.pointee.startDocument = { context in
      xmlSAX2StartDocument(context)
      guard let context, let driver = EventDriver.of(context), driver.main == context else { return }
      driver.startDocument(at: context)
    }
    sax.pointee.endDocument = { context in
      guard let context, let driver = EventDriver.of(context), driver.main == context else { return }
      driver.endDocument(at: context)
    }
  }

  static func installElements(in sax: xmlSAXHandlerPtr) {
    sax.pointee.startElementNs = {
      context,
      name,
      prefix,
      uri,
      namespaceCount,
      namespaces,
      count,
      defaultedCount,
      attributes in
      guard let context, let driver = unretained(EventDriver.self, of: context) else { return }
      let tag = SAXStartTag(
        name: SAXName(local: name, prefix: prefix, uri: uri),
        namespaceCount: namespaceCount,
        namespaces: namespaces,
        attributeCount: count,
        attributes: attributes,
        defaultedCount: defaultedCount
      )
      withUnsafePointer(to: tag) { tag in
        driver._withUnsafeGuaranteedRef { $0.startElement(tag, at: context) }
      }
    }
    sax.pointee.endElementNs = { context, name, prefix, uri in
      guard let context, let driver = unretained(EventDriver.self, of: context) else { return }
      driver._withUnsafeGuaranteedRef {
        $0.endElement(SAXName(local: name, prefix: prefix, uri: uri), at: context)
      }
    }
  }

  static func installText(in sax: xmlSAXHandlerPtr) {
    sax.pointee.characters = { context, text, count in
      guard let context, let driver = unretained(EventDriver.self, of: context) else { return }
      driver._withUnsafeGuaranteedRef {
        $0.characters(.text, UnsafeBufferPointer(start: text, count: Int(count)), at: context)
      }
    }
    sax.pointee.ignorableWhitespace = sax.pointee.characters
    sax.pointee.cdataBlock = { context, text, count in
      guard let context, let driver = unretained(EventDriver.self, of: context) else { return }
      let text = UnsafeBufferPointer(start: text, count: Int(count))
      driver._withUnsafeGuaranteedRef {
        guard $0.admitCDATA(text, at: context) else { return }
        let driver = $0
        driver.withLineFeeds(in: text, at: context) { driver.characters(.cdata, $0, at: context) }
      }
    }
    sax.pointee.reference = { context, name in
      guard let context, let driver = EventDriver.of(context) else { return }
      driver.reference(name, at: context)
    }
  }

  static func installMarkup(in sax: xmlSAXHandlerPtr) {
    sax.pointee.comment = { context, text in
      guard let context, let driver = EventDriver.of(context) else { return }
      driver.comment(text, at: context)
    }
    sax.pointee.processingInstruction = { context, target, data in
      guard let context, let driver = EventDriver.of(context) else { return }
      driver.processingInstruction(target: target, data: data, at: context)
    }
  }
}
