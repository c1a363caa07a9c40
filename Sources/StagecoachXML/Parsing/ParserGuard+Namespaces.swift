internal import CLibXML2

// The names of namespaces are values of attributes, so references in them count (Namespaces in XML 1.0, section 3).
// Old versions of libxml2 take the text of such a declaration, references and all, for the name; newer ones still do it
// with those that the DTD supplies.
extension ParserGuard {
  /// Whether this libxml2 replaces the references itself, as new versions do.
  static let libraryExpands: Bool = {
    let text = "<a xmlns='&#38;'/>"
    let options = Int32(
      bitPattern: XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    )
    let document = xmlReadMemory(text, Int32(text.utf8.count), nil, nil, options)
    defer { xmlFreeDoc(document) }
    return xmlStrEqual(xmlDocGetRootElement(document)?.pointee.nsDef?.pointee.href, "&") != 0
  }()

  /// Returns whether an error reports that a name is not a URI because its references have not been replaced yet.
  static func isPremature(_ error: xmlError) -> Bool {
    guard error.code == Int32(bitPattern: XML_WAR_NS_URI.rawValue), !libraryExpands else { return false }
    // The name comes behind the prefix, if there is one.
    return (error.str2 ?? error.str1).map { String(cString: $0).utf8.contains(UInt8(ascii: "&")) } ?? false
  }

  /// Calls `body` with a start tag whose names are in the namespaces that declarations mean, unless one of these
  /// is refused.
  @inline(never)
  final func withExpandedNamespaces(
    of tag: SAXStartTag,
    at context: UnsafeMutableRawPointer,
    _ body: (SAXStartTag) throws -> Void
  ) rethrows {
    var namespaces = Array(UnsafeBufferPointer(start: tag.namespaces, count: Int(tag.namespaceCount) * 2))
    for index in stride(from: 0, to: namespaces.count, by: 2) {
      guard let text = namespaces[index + 1], bytes(of: text).holds(UInt8(ascii: "&")),
        !Self.libraryExpands || isDefault(text, of: namespaces[index], on: tag.name, at: context)
      else { continue }
      guard let name = namespace(of: text, prefix: namespaces[index], at: context) else { return }
      expandedNamespaces[text] = name
      namespaces[index + 1] = name
    }
    expandsNamespaces = true
    var attributes = Array(UnsafeBufferPointer(start: tag.attributes, count: Int(tag.attributeCount) * 5))
    for index in stride(from: 0, to: attributes.count, by: 5) {
      attributes[index + 2] = expanded(attributes[index + 2])
    }
    guard areDistinct(attributes, at: context) else { return }
    try namespaces.withUnsafeMutableBufferPointer { namespaces in
      try attributes.withUnsafeMutableBufferPointer { attributes in
        var tag = tag
        tag.name = expanding(tag.name)
        tag.namespaces = namespaces.baseAddress
        tag.attributes = attributes.baseAddress
        try body(tag)
      }
    }
  }

  /// A name in the namespace that its declaration means.
  @inline(never)
  final func expanding(_ name: SAXName) -> SAXName {
    SAXName(local: name.local, prefix: name.prefix, uri: expanded(name.uri))
  }

  private func expanded(_ uri: UnsafePointer<xmlChar>?) -> UnsafePointer<xmlChar>? {
    guard let uri, let name = expandedNamespaces[uri] else { return uri }
    return name.pointee == 0 ? nil : name
  }

  /// The namespace that a declaration means, where libxml2 keeps its names; nil after a refusal.
  private func namespace(
    of text: UnsafePointer<xmlChar>,
    prefix: UnsafePointer<xmlChar>?,
    at context: UnsafeMutableRawPointer
  ) -> UnsafePointer<xmlChar>? {
    guard let name = replacingReferences(in: bytes(of: text), at: context) else { return nil }
    let uri = String(decoding: name, as: UTF8.self)
    guard ElementNamespaces.canDeclare(uri, hasPrefix: prefix != nil),
      let kept = xmlDictLookup(document(of: context)?.pointee.dict, name + [0], -1)
    else {
      let attribute = prefix.map { "xmlns:" + String(libxml: $0) } ?? "xmlns"
      fail(.malformed(message: "\(attribute): '\(uri)' cannot be the name of a namespace"), at: context)
      return nil
    }
    return kept
  }

  /// Whether the declaration of a namespace, as it reads, is the one that the DTD supplies.
  private func isDefault(
    _ text: UnsafePointer<xmlChar>,
    of prefix: UnsafePointer<xmlChar>?,
    on element: SAXName,
    at context: UnsafeMutableRawPointer
  ) -> Bool {
    guard defaultsNamespaces, let subset = document(of: context)?.pointee.intSubset else { return false }
    let name = element.prefix.map { String(libxml: $0) + ":" + String(libxml: element.local) }
    let declaration =
      if let prefix {
        xmlGetDtdQAttrDesc(subset, name ?? String(libxml: element.local), prefix, "xmlns")
      } else {
        xmlGetDtdAttrDesc(subset, name ?? String(libxml: element.local), "xmlns")
      }
    return declaration.map { xmlStrEqual($0.pointee.defaultValue, text) != 0 } ?? false
  }

  /// Whether no two attributes have the same name, now that their namespaces are known; compared with each other as
  /// libxml2 does it, by where it keeps names.
  private func areDistinct(
    _ attributes: [UnsafePointer<xmlChar>?],
    at context: UnsafeMutableRawPointer
  ) -> Bool {
    for index in stride(from: 0, to: attributes.count, by: 5) where attributes[index + 2] != nil {
      for other in stride(from: 0, to: index, by: 5)
      where attributes[other] == attributes[index] && attributes[other + 2] == attributes[index + 2] {
        let name = "\(String(libxml: attributes[index])) in '\(String(libxml: attributes[index + 2]))'"
        fail(.malformed(message: "Namespaced Attribute \(name) redefined"), at: context)
        return false
      }
    }
    return true
  }
}

extension SAXStartTag {
  /// Whether the declaration of a namespace holds a reference.
  @inline(__always)
  var declaresByReference: Bool {
    var index = 0
    while index < Int(namespaceCount) {
      if bytes(of: namespace(index).1).holds(UInt8(ascii: "&")) { return true }
      index &+= 1
    }
    return false
  }
}
