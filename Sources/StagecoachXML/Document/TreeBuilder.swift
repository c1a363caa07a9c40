internal import CLibXML2

/// Lets libxml2 build the tree of a document from what it parses, as long as every limit holds. The callbacks
/// are in `TreeBuilder+SAX.swift`.
final class TreeBuilder: ParserGuard {
  /// The CDATA section that came last, how many bytes it has, and for how many it has room.
  private var section: (node: xmlNodePtr, count: Int, capacity: Int)?

  override func installContent(in sax: xmlSAXHandlerPtr) {
    Self.installElements(in: sax)
    Self.installText(in: sax)
    sax.pointee.reference = { context, name in
      guard let context, let builder = TreeBuilder.of(context), builder.isOpen(context) else { return }
      builder.reference(name, at: context)
    }
  }

  /// Adds an element to the tree if the limits allow it.
  func startElement(_ tag: SAXStartTag, at context: UnsafeMutableRawPointer) {
    let count = Int(tag.attributeCount)
    guard
      admitElement(attributes: count, namespaces: Int(tag.namespaceCount), at: context),
      admitName(tag.name, at: context)
    else { return }
    if referenceCost > 0 {
      openReference = nil
      guard admitNamespaceReferences(of: tag, at: context) else { return }
      referenceCost = 0
    }
    if expandsNamespaces || tag.declaresByReference {
      withExpandedNamespaces(of: tag, at: context) { addElement($0, at: context) }
    } else {
      addElement(tag, at: context)
    }
  }

  @inline(__always)
  private func addElement(_ tag: SAXStartTag, at context: UnsafeMutableRawPointer) {
    let count = Int(tag.attributeCount)
    if let namespaces = tag.namespaces {
      for index in 0..<Int(tag.namespaceCount) {
        guard admitName(length(namespaces[index * 2]), at: context),
          admitText(length(namespaces[index * 2 + 1]), at: context)
        else { return }
      }
    }
    var hasReferences = false
    if tag.attributes != nil {
      for index in 0..<count {
        let value = tag.value(index)
        guard admitName(tag.attributeName(index), at: context),
          admitText(value.count, at: context)
        else { return }
        hasReferences = hasReferences || tag.hasReferences(index)
      }
    }
    if hasReferences {
      addExpanded(tag, at: context)
    } else {
      tag.buildNode(at: context)
    }
  }

  /// Replaces a reference in content by the text of the entity.
  func reference(_ name: UnsafePointer<xmlChar>?, at context: UnsafeMutableRawPointer) {
    guard let name else { return }
    guard context == main, closeReference(name) else {
      // libxml2 looks at the text of an entity once, and needs to find something there. Nobody sees those nodes.
      xmlSAX2Reference(context, name)
      return
    }
    guard let text = replacement(for: name, at: context), !text.isEmpty,
      admitCharacters(text.count, at: context), let count = Int32(exactly: text.count)
    else { return }
    xmlSAX2Characters(context, text, count)
  }

  /// Adds a piece of a CDATA section. Sections that follow each other become one, as those do that are written for text
  /// which holds the end of a section; new versions of libxml2 keep them apart.
  func addSection(_ text: UnsafeBufferPointer<UInt8>, at context: UnsafeMutableRawPointer) {
    guard let parent = stagecoach_xml_node(context.assumingMemoryBound(to: xmlParserCtxt.self)),
      let start = text.baseAddress
    else { return }
    guard var section, parent.pointee.last == section.node else {
      guard let node = xmlNewCDataBlock(parent.pointee.doc, start, Int32(text.count)) else {
        return fail(.malformed(message: "libxml2 ran out of memory"), at: context)
      }
      xmlAddChild(parent, node)
      section = (node, text.count, text.count + 1)
      return
    }
    let count = section.count + text.count
    if count >= section.capacity {
      section.capacity = 2 * (count + 1)
      guard let content = stagecoach_xml_realloc(section.node.pointee.content, section.capacity) else {
        return fail(.malformed(message: "libxml2 ran out of memory"), at: context)
      }
      section.node.pointee.content = content.assumingMemoryBound(to: xmlChar.self)
    }
    (section.node.pointee.content + section.count).initialize(from: start, count: text.count)
    section.node.pointee.content[count] = 0
    section.count = count
    self.section = section
  }

  /// Adds an element some of whose attribute values hold references, numeric ones included.
  private func addExpanded(_ tag: SAXStartTag, at context: UnsafeMutableRawPointer) {
    let count = Int(tag.attributeCount)
    var text: [UInt8] = []
    var ranges: [Range<Int>?] = []
    for index in 0..<count {
      let value = tag.value(index)
      guard value.contains(UInt8(ascii: "&")) else {
        ranges.append(nil)
        continue
      }
      guard let expanded = replacingReferences(inAttribute: index, of: tag, at: context),
        admitText(max(0, expanded.count - value.count), at: context)
      else { return }
      let start = text.count
      // libxml2 treats a value that ends with a zero as one that contains references.
      for byte in expanded {
        if byte == UInt8(ascii: "&") { text += Array("&#38;".utf8) } else { text.append(byte) }
      }
      ranges.append(start..<text.count)
      text.append(0)
    }
    // A copy: libxml2 frees the values that its own list holds.
    var attributes = Array(UnsafeBufferPointer(start: tag.attributes, count: count * 5))
    text.withUnsafeBufferPointer { text in
      for case (let index, let range?) in ranges.enumerated() {
        attributes[index * 5 + 3] = text.baseAddress.map { $0 + range.lowerBound }
        attributes[index * 5 + 4] = text.baseAddress.map { $0 + range.upperBound }
      }
      attributes.withUnsafeMutableBufferPointer {
        var tag = tag
        tag.attributes = $0.baseAddress
        tag.buildNode(at: context)
      }
    }
  }
}
