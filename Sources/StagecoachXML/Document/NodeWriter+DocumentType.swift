internal import CLibXML2

extension NodeWriter {
  /// Writes a document type declaration with its internal subset (XML 1.0, section 2.8).
  ///
  /// libxml2 writes the declarations, in their original order, except for notations, which come first, sorted by name.
  /// Characters that HTML allows in identifiers and XML does not become spaces.
  ///
  /// - Parameter hasSubset: Whether to write the internal subset, if there is one.
  mutating func writeDocumentType(_ node: xmlNodePtr, hasSubset: Bool = true) {
    let type = UnsafeMutableRawPointer(node).assumingMemoryBound(to: xmlDtd.self).pointee
    markup.append("<!DOCTYPE " + String(libxml: type.name))
    var publicID = type.ExternalID.map { String(libxml: $0) }
    var systemID = type.SystemID.map { String(libxml: $0) }
    if !isHTML, let id = publicID {
      let scalars = id.unicodeScalars.map { XML.DocumentType.isPublicID($0) ? $0 : " " }
      (publicID, systemID) = (String(String.UnicodeScalarView(scalars)), systemID ?? "")
    }
    markup.appendIDs(publicID, systemID)
    if hasSubset, !isHTML { writeSubset(type) }
    markup.append(">")
  }

  private mutating func writeSubset(_ type: xmlDtd) {
    let notations = Self.notations(type.notations)
    guard !notations.isEmpty || type.children != nil, let buffer = xmlBufferCreate() else { return }
    defer { xmlBufferFree(buffer) }
    for notation in notations { xmlDumpNotationDecl(buffer, notation) }
    var next = type.children
    while let declaration = next {
      if declaration.pointee.type == XML_ATTRIBUTE_DECL {
        Self.write(
          attribute: UnsafeMutableRawPointer(declaration).assumingMemoryBound(to: xmlAttribute.self),
          to: buffer
        )
      } else {
        xmlNodeDump(buffer, nil, declaration, 0, 0)
      }
      if declaration.pointee.type == XML_COMMENT_NODE || declaration.pointee.type == XML_PI_NODE {
        xmlBufferCat(buffer, "\n")
      }
      next = declaration.pointee.next
    }
    markup.append(" [\n")
    markup.append(bytes(of: xmlBufferContent(buffer)))
    markup.append("]")
  }

  /// The notations, in the order of their names: libxml2 keeps them in none.
  private static func notations(_ table: UnsafeMutableRawPointer?) -> [xmlNotationPtr] {
    guard let table else { return [] }
    var notations: [xmlNotationPtr] = []
    withUnsafeMutablePointer(to: &notations) { notations in
      xmlHashScan(
        OpaquePointer(table),
        { notation, notations, _ in
          guard let notation, let notations else { return }
          notations.assumingMemoryBound(to: [xmlNotationPtr].self).pointee
            .append(notation.assumingMemoryBound(to: xmlNotation.self))
        },
        notations
      )
    }
    return notations.sorted { String(libxml: $0.pointee.name) < String(libxml: $1.pointee.name) }
  }

  /// Writes the declaration of an attribute. libxml2 does not escape the default value, in which it has replaced all
  /// references but those to entities of the document, and the one to an ampersand, which it keeps as `&#38;`; so each
  /// ampersand begins a reference.
  private static func write(attribute: xmlAttributePtr, to buffer: xmlBufferPtr) {
    var copy = attribute.pointee
    var value: [UInt8] = []
    for byte in bytes(of: copy.defaultValue) {
      switch byte {
      case UInt8(ascii: "<"): value += "&lt;".utf8
      case UInt8(ascii: "\""): value += "&quot;".utf8
      // Readers make a space of these.
      case 0x9, 0xA, 0xD: value += "&#\(byte);".utf8
      default: value.append(byte)
      }
    }
    value.append(0)
    value.withUnsafeBufferPointer { value in
      if copy.defaultValue != nil { copy.defaultValue = value.baseAddress }
      withUnsafeMutablePointer(to: &copy) {
        _ = xmlNodeDump(buffer, nil, UnsafeMutableRawPointer($0).assumingMemoryBound(to: xmlNode.self), 0, 0)
      }
    }
  }
}
