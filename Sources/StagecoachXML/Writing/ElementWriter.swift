internal import StagecoachCore

/// Writes element values, and finds what XML cannot say.
struct ElementWriter {
  private var markup: MarkupWriter
  private var namespaces = ElementNamespaces()
  private let options: XML.WritingOptions
  private var isPretty: Bool { options.isPretty }

  /// The most elements open at once, which is also the most that can be parsed.
  private static let depth = 256

  /// An element in the charset of the options.
  static func write(_ element: XML.Element, _ options: XML.WritingOptions) throws(XML.ElementError) -> [UInt8]
  {
    var writer = Self(options)
    try writer.write(root: element)
    if options.hasDeclaration { writer.markup.startLine(0) }
    do throws(CharsetError) {
      return try writer.markup.finish()
    } catch {
      throw XML.ElementError(reason: .charset(error), path: "/" + element.name.qualifiedName)
    }
  }

  /// An element as text.
  static func text(of element: XML.Element) throws(XML.ElementError) -> String {
    var writer = Self(XML.WritingOptions())
    try writer.write(root: element)
    return writer.markup.text()
  }

  private init(_ options: XML.WritingOptions) {
    markup = MarkupWriter(options)
    self.options = options
  }

  private mutating func write(root: XML.Element) throws(XML.ElementError) {
    do throws(ElementFault) {
      try write(root, level: 0, isInline: !isPretty)
    } catch {
      throw XML.ElementError(reason: error.reason, path: "/" + error.path.reversed().joined(separator: "/"))
    }
  }

  private mutating func write(
    _ element: XML.Element,
    level: Int,
    isInline: Bool
  ) throws(ElementFault) {
    do throws(ElementFault) {
      guard level < Self.depth else { throw ElementFault(.limit(name: "depth", value: Self.depth)) }
      try writeElement(element, level: level, isInline: isInline)
    } catch {
      var error = error
      error.path.append(element.name.qualifiedName)
      throw error
    }
  }

  private mutating func writeElement(
    _ element: XML.Element,
    level: Int,
    isInline: Bool
  ) throws(ElementFault) {
    let outer = try namespaces.open(element.namespaces)
    let prefix = try namespaces.elementPrefix(of: element.name)
    guard element.name.localName.isXMLName else { throw ElementFault(.invalidName(element.name.localName)) }
    if level == 0 { try writeProlog(prefix, element.name) }
    markup.append("<")
    markup.appendName(element.name.localName, prefix: prefix)
    try writeAttributes(of: element)
    if element.children.isEmpty {
      markup.append("/>")
    } else {
      markup.append(">")
      let isInline = isInline || element.isMixed
      for child in element.children {
        if !isInline { markup.startLine(level + 1) }
        try write(child, level: level + 1, isInline: isInline)
      }
      if !isInline { markup.startLine(level) }
      markup.append("</")
      markup.appendName(element.name.localName, prefix: prefix)
      markup.append(">")
    }
    namespaces.close(outer)
  }

  /// Writes the prolog before the root, whose name is in the document type.
  private mutating func writeProlog(_ prefix: String, _ root: XML.Name) throws(ElementFault) {
    for item in options.prolog {
      try write(item.content, level: 0, isInline: true)
      markup.startLine(0)
    }
    guard let type = options.documentType else { return }
    if let id = type.invalidID { throw ElementFault(.invalidDocumentType(id)) }
    markup.append("<!DOCTYPE ")
    markup.appendName(root.localName, prefix: prefix)
    try check(markup.appendIDs(type.publicID, type.systemID))
    markup.append(">")
    markup.startLine(0)
  }

  private mutating func writeAttributes(of element: XML.Element) throws(ElementFault) {
    guard !element.attributes.isEmpty || !namespaces.declared.isEmpty else { return }
    if let twice = element.repeatedAttribute { throw ElementFault(.duplicateAttribute(twice)) }
    // Declarations come first, so all prefixes are chosen before.
    var prefixes: [String] = []
    prefixes.reserveCapacity(element.attributes.count)
    for attribute in element.attributes {
      prefixes.append(try namespaces.attributePrefix(of: attribute.name))
    }
    for declaration in namespaces.declared {
      try check(markup.appendDeclaration(of: declaration.prefix, declaration.uri))
    }
    for (prefix, attribute) in zip(prefixes, element.attributes) {
      let name = attribute.name
      guard name.localName.isXMLName else { throw ElementFault(.invalidName(name.localName)) }
      markup.append(" ")
      markup.appendName(name.localName, prefix: prefix)
      try check(markup.appendValue(attribute.value))
    }
  }

  private mutating func write(
    _ content: XML.Element.Content,
    level: Int,
    isInline: Bool
  ) throws(ElementFault) {
    switch content {
    case .element(let element): try write(element, level: level, isInline: isInline)
    case .text(let text): try check(markup.append(text, in: .text))
    case .cdata(let text): try check(markup.appendCDATA(text))
    case .comment(let text):
      guard !text.hasBytes("-", "-"), text.utf8.last != UInt8(ascii: "-") else {
        throw ElementFault(.invalidComment)
      }
      try check(markup.appendComment(text))
    case .processingInstruction(let target, let data):
      guard target.isXMLName, target.lowercased() != "xml", !data.hasBytes("?", ">") else {
        throw ElementFault(.invalidProcessingInstruction(target: target))
      }
      try check(markup.appendProcessingInstruction(target, data))
    }
  }

  private func check(_ forbidden: Unicode.Scalar?) throws(ElementFault) {
    if let forbidden { throw ElementFault(.forbiddenCharacter(forbidden)) }
  }
}

extension XML.Element {
  /// Whether white space between the children would be part of the content.
  fileprivate var isMixed: Bool {
    let hasText = children.contains {
      switch $0 {
      case .text, .cdata: true
      case .element, .comment, .processingInstruction: false
      }
    }
    return hasText || self[XML.Name("space", namespace: ElementNamespaces.xml)] == "preserve"
  }

  /// The name of two attributes.
  fileprivate var repeatedAttribute: XML.Name? {
    guard attributes.count > 8 else {
      return attributes.indices.first { index in
        attributes[..<index].contains { $0.name == attributes[index].name }
      }.map { attributes[$0].name }
    }
    var names: Set<XML.Name> = []
    return attributes.first { !names.insert($0.name).inserted }?.name
  }
}

extension String {
  /// Whether the text holds these two ASCII characters in a row, also where they are parts of graphemes.
  fileprivate func hasBytes(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    var previous: UInt8 = 0
    for byte in utf8 {
      if previous == UInt8(ascii: first), byte == UInt8(ascii: second) { return true }
      previous = byte
    }
    return false
  }
}
