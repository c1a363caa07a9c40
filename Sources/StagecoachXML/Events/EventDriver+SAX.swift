internal import CLibXML2

extension EventDriver {
  static func installDocument(in sax: xmlSAXHandlerPtr) {
    sax.pointee.startDocument = { context in
      xmlSAX2StartDocument(context)
      guard let context, let driver = EventDriver.of(context), driver.main == context, driver.isOpen(context)
      else { return }
      let parser = context.assumingMemoryBound(to: xmlParserCtxt.self)
      var declaration = XML.Declaration()
      if let version = stagecoach_xml_version(parser) { declaration.version = String(cString: version) }
      declaration.encoding = stagecoach_xml_encoding(parser).map { String(cString: $0) }
      let standalone = stagecoach_xml_standalone(parser)
      if standalone >= 0 { declaration.isStandalone = standalone != 0 }
      do { try driver.startDocument(declaration) } catch { driver.stop(error, at: context) }
    }
    sax.pointee.endDocument = { context in
      guard let context, let driver = EventDriver.of(context), driver.main == context, driver.isOpen(context),
        stagecoach_xml_failed(context.assumingMemoryBound(to: xmlParserCtxt.self)) == 0
      else { return }
      do { try driver.endDocument() } catch { driver.stop(error, at: context) }
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
      defaulted,
      attributes in
      guard let context, let driver = EventDriver.of(context) else { return }
      guard driver.main == context else {
        return xmlSAX2StartElementNs(
          context,
          name,
          prefix,
          uri,
          namespaceCount,
          namespaces,
          count,
          defaulted,
          attributes
        )
      }
      driver.startElement(
        SAXStartTag(
          name: SAXName(local: name, prefix: prefix, uri: uri),
          namespaceCount: namespaceCount,
          namespaces: namespaces,
          attributeCount: count,
          defaulted: defaulted,
          attributes: attributes
        ),
        at: context
      )
    }
    sax.pointee.endElementNs = { context, name, prefix, uri in
      guard let context, let driver = EventDriver.of(context) else { return }
      guard driver.main == context else { return xmlSAX2EndElementNs(context, name, prefix, uri) }
      guard driver.isOpen(context) else { return }
      driver.closeElement()
      do {
        try driver.endElement(SAXName(local: name, prefix: prefix, uri: uri), line: driver.line(at: context))
      } catch {
        driver.stop(error, at: context)
      }
    }
  }

  static func installText(in sax: xmlSAXHandlerPtr) {
    sax.pointee.characters = { context, text, count in
      guard let context, let driver = EventDriver.of(context) else { return }
      guard driver.main == context else { return xmlSAX2Characters(context, text, count) }
      guard driver.admitCharacters(Int(count), at: context) else { return }
      do {
        let bytes = UnsafeBufferPointer(start: text, count: Int(count))
        try driver.characters(.text, bytes, line: driver.line(at: context))
      } catch {
        driver.stop(error, at: context)
      }
    }
    sax.pointee.ignorableWhitespace = sax.pointee.characters
    sax.pointee.cdataBlock = { context, text, count in
      guard let context, let driver = EventDriver.of(context) else { return }
      guard driver.main == context else { return xmlSAX2CDataBlock(context, text, count) }
      guard driver.admitCharacters(Int(count), at: context) else { return }
      do {
        let bytes = UnsafeBufferPointer(start: text, count: Int(count))
        try driver.characters(.cdata, bytes, line: driver.line(at: context))
      } catch {
        driver.stop(error, at: context)
      }
    }
    sax.pointee.reference = { context, name in
      guard let context, let driver = EventDriver.of(context) else { return }
      guard driver.main == context else { return xmlSAX2Reference(context, name) }
      guard driver.isOpen(context) else { return }
      driver.reference(name, at: context)
    }
  }

  static func installMarkup(in sax: xmlSAXHandlerPtr) {
    sax.pointee.comment = { context, text in
      guard let context, let driver = EventDriver.of(context) else { return }
      guard driver.main == context else { return xmlSAX2Comment(context, text) }
      guard driver.admitNodes(1, at: context), !EventDriver.isInDTD(context) else { return }
      do {
        try driver.comment(bytes(of: text), line: driver.line(at: context))
      } catch {
        driver.stop(error, at: context)
      }
    }
    sax.pointee.processingInstruction = { context, target, data in
      guard let context, let driver = EventDriver.of(context) else { return }
      guard driver.main == context else { return xmlSAX2ProcessingInstruction(context, target, data) }
      guard driver.admitNodes(1, at: context), driver.admitName(length(target), at: context),
        !EventDriver.isInDTD(context)
      else { return }
      do {
        try driver.processingInstruction(
          target: target,
          data: bytes(of: data),
          line: driver.line(at: context)
        )
      } catch {
        driver.stop(error, at: context)
      }
    }
  }

  /// Whether this stands in the document type declaration.
  static func isInDTD(_ context: UnsafeMutableRawPointer) -> Bool {
    stagecoach_xml_in_subset(context.assumingMemoryBound(to: xmlParserCtxt.self)) != 0
  }
}
