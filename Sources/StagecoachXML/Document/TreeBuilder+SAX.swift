internal import CLibXML2

extension TreeBuilder {
  static func installElements(in sax: xmlSAXHandlerPtr) {
    sax.pointee.startElementNs = {
      context,
      name,
      prefix,
      uri,
      namespaceCount,
      namespaces,
      count,
      _,
      attributes in
      guard let context, let builder = unretained(TreeBuilder.self, of: context) else { return }
      builder._withUnsafeGuaranteedRef {
        $0.startElement(
          SAXStartTag(
            name: SAXName(local: name, prefix: prefix, uri: uri),
            namespaceCount: namespaceCount,
            namespaces: namespaces,
            attributeCount: count,
            attributes: attributes
          ),
          at: context
        )
      }
    }
    sax.pointee.endElementNs = { context, name, prefix, uri in
      guard let context, let builder = unretained(TreeBuilder.self, of: context) else { return }
      builder._withUnsafeGuaranteedRef {
        guard $0.isOpen(context) else { return }
        $0.closeElement()
        xmlSAX2EndElementNs(context, name, prefix, uri)
      }
    }
  }

  static func installText(in sax: xmlSAXHandlerPtr) {
    sax.pointee.characters = { context, text, count in
      guard let context, let builder = unretained(TreeBuilder.self, of: context) else { return }
      builder._withUnsafeGuaranteedRef {
        guard $0.openReference != nil || $0.admitCharacters(Int(count), at: context) else { return }
        xmlSAX2Characters(context, text, count)
      }
    }
    sax.pointee.ignorableWhitespace = sax.pointee.characters
    sax.pointee.cdataBlock = { context, text, count in
      let text = UnsafeBufferPointer(start: text, count: Int(count))
      guard let context, let builder = TreeBuilder.of(context),
        builder.admitSection(text.count, at: context), builder.admitCDATA(text, at: context)
      else { return }
      builder.withLineFeeds(in: text, at: context) { builder.addSection($0, at: context) }
    }
    sax.pointee.comment = { context, text in
      guard let context, let builder = TreeBuilder.of(context),
        builder.admitNodes(1, at: context), builder.admitText(length(text), at: context)
      else { return }
      xmlSAX2Comment(context, text)
    }
    sax.pointee.processingInstruction = { context, target, data in
      guard let context, let builder = TreeBuilder.of(context), !builder.isHidden,
        builder.admitNodes(1, at: context), builder.admitName(length(target), at: context),
        builder.admitText(length(data), at: context)
      else { return }
      xmlSAX2ProcessingInstruction(context, target, data)
    }
  }
}
