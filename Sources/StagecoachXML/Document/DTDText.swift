internal import CLibXML2

/// Writes a document type declaration with its internal subset (XML 1.0, section 2.8).
///
/// Declarations are written in their original order, except for notations, which come first, sorted by name. The
/// declarations of a parameter entity are written in place of its reference. libxml2 can write a declaration too, but
/// without escaping.
struct DTDText {
  private(set) var text = ""

  /// - Parameter hasSubset: Whether to write the internal subset, if there is one.
  init(_ node: xmlNodePtr, hasSubset: Bool = true) {
    let type = UnsafeMutableRawPointer(node).assumingMemoryBound(to: xmlDtd.self).pointee
    text = "<!DOCTYPE \(String(libxml: type.name))"
    writeIDs(type.ExternalID, type.SystemID)
    let notations = Self.notations(type.notations)
    if hasSubset, !notations.isEmpty || type.children != nil {
      text += " [\n"
      for notation in notations { write(notation) }
      var next = type.children
      while let declaration = next {
        write(declaration)
        next = declaration.pointee.next
      }
      text += "]"
    }
    text += ">"
  }

  private mutating func write(_ node: xmlNodePtr) {
    let declaration = UnsafeMutableRawPointer(node)
    switch node.pointee.type {
    case XML_ENTITY_DECL: write(declaration.assumingMemoryBound(to: xmlEntity.self).pointee)
    case XML_ELEMENT_DECL: write(declaration.assumingMemoryBound(to: xmlElement.self).pointee)
    case XML_ATTRIBUTE_DECL: write(declaration.assumingMemoryBound(to: xmlAttribute.self).pointee)
    case XML_COMMENT_NODE: text += "<!--\(String(libxml: node.pointee.content))-->\n"
    case XML_PI_NODE:
      let data = String(libxml: node.pointee.content)
      text += "<?\(String(libxml: node.pointee.name))\(data.isEmpty ? "" : " " + data)?>\n"
    default: break
    }
  }

  // MARK: - Entities and notations

  private mutating func write(_ entity: xmlEntity) {
    switch entity.etype {
    case XML_INTERNAL_PARAMETER_ENTITY, XML_EXTERNAL_PARAMETER_ENTITY: text += "<!ENTITY % "
    default: text += "<!ENTITY "
    }
    text += String(libxml: entity.name)
    switch entity.etype {
    case XML_INTERNAL_GENERAL_ENTITY, XML_INTERNAL_PARAMETER_ENTITY, XML_INTERNAL_PREDEFINED_ENTITY:
      text += " " + Self.value(of: entity)
    default: writeIDs(entity.ExternalID, entity.SystemID)
    }
    // The name of the notation is where the text of others is.
    if entity.etype == XML_EXTERNAL_GENERAL_UNPARSED_ENTITY {
      text += " NDATA \(String(libxml: entity.content))"
    }
    text += ">\n"
  }

  /// The value as it was written, or what comes to the same (XML 1.0, section 4.5).
  private static func value(of entity: xmlEntity) -> String {
    if let original = entity.orig {
      let value = String(libxml: original)
      if let quote = quote(for: value) { return quote + value + quote }
    }
    return "\""
      + escaped(String(libxml: entity.content)) { scalar in
        switch scalar {
        case "&", "%", "\"", "\r": "&#\(scalar.value);"
        default: nil
        }
      } + "\""
  }

  private mutating func write(_ notation: xmlNotation) {
    text += "<!NOTATION \(String(libxml: notation.name))"
    if let publicID = notation.PublicID, notation.SystemID == nil {
      text += " PUBLIC \"\(Self.publicID(publicID))\""
    } else {
      writeIDs(notation.PublicID, notation.SystemID)
    }
    text += ">\n"
  }

  /// The notations, in the order of their names: libxml2 keeps them in none.
  private static func notations(_ table: UnsafeMutableRawPointer?) -> [xmlNotation] {
    guard let table else { return [] }
    var notations: [xmlNotation] = []
    withUnsafeMutablePointer(to: &notations) { notations in
      xmlHashScan(
        OpaquePointer(table),
        { notation, notations, _ in
          guard let notation, let notations else { return }
          notations.assumingMemoryBound(to: [xmlNotation].self).pointee
            .append(notation.assumingMemoryBound(to: xmlNotation.self).pointee)
        },
        notations
      )
    }
    return notations.sorted { String(libxml: $0.name) < String(libxml: $1.name) }
  }

  // MARK: - Elements

  private mutating func write(_ element: xmlElement) {
    text += "<!ELEMENT \(Self.name(element.name, element.prefix)) "
    switch element.etype {
    case XML_ELEMENT_TYPE_EMPTY: text += "EMPTY"
    case XML_ELEMENT_TYPE_ANY: text += "ANY"
    default:
      // A group has its own parentheses.
      let isGroup =
        element.content?.pointee.type == XML_ELEMENT_CONTENT_SEQ
        || element.content?.pointee.type == XML_ELEMENT_CONTENT_OR
        || element.content?.pointee.type == XML_ELEMENT_CONTENT_PCDATA
      if !isGroup { text += "(" }
      if let content = element.content { write(content) }
      if !isGroup { text += ")" }
    }
    text += ">\n"
  }

  /// Writes a content model, whose depth is limited by libxml2.
  private mutating func write(_ content: xmlElementContentPtr) {
    let type = content.pointee.type
    switch type {
    case XML_ELEMENT_CONTENT_PCDATA: text += "(#PCDATA)"
    case XML_ELEMENT_CONTENT_ELEMENT: text += Self.name(content.pointee.name, content.pointee.prefix)
    default:
      text += "("
      // A group of several is a chain of pairs.
      var group = content
      while true {
        if let first = group.pointee.c1 { writeMember(first) }
        guard let second = group.pointee.c2 else { break }
        text += type == XML_ELEMENT_CONTENT_SEQ ? ", " : " | "
        guard second.pointee.type == type, second.pointee.ocur == XML_ELEMENT_CONTENT_ONCE else {
          writeMember(second)
          break
        }
        group = second
      }
      text += ")"
    }
    switch content.pointee.ocur {
    case XML_ELEMENT_CONTENT_OPT: text += "?"
    case XML_ELEMENT_CONTENT_MULT: text += "*"
    case XML_ELEMENT_CONTENT_PLUS: text += "+"
    default: break
    }
  }

  private mutating func writeMember(_ content: xmlElementContentPtr) {
    if content.pointee.type == XML_ELEMENT_CONTENT_PCDATA { text += "#PCDATA" } else { write(content) }
  }

  // MARK: - Attributes

  private mutating func write(_ attribute: xmlAttribute) {
    text += "<!ATTLIST \(String(libxml: attribute.elem)) \(Self.name(attribute.name, attribute.prefix)) "
    switch attribute.atype {
    case XML_ATTRIBUTE_ID: text += "ID"
    case XML_ATTRIBUTE_IDREF: text += "IDREF"
    case XML_ATTRIBUTE_IDREFS: text += "IDREFS"
    case XML_ATTRIBUTE_ENTITY: text += "ENTITY"
    case XML_ATTRIBUTE_ENTITIES: text += "ENTITIES"
    case XML_ATTRIBUTE_NMTOKEN: text += "NMTOKEN"
    case XML_ATTRIBUTE_NMTOKENS: text += "NMTOKENS"
    case XML_ATTRIBUTE_ENUMERATION: writeNames(attribute.tree)
    case XML_ATTRIBUTE_NOTATION:
      text += "NOTATION "
      writeNames(attribute.tree)
    default: text += "CDATA"
    }
    switch attribute.def {
    case XML_ATTRIBUTE_REQUIRED: text += " #REQUIRED"
    case XML_ATTRIBUTE_IMPLIED: text += " #IMPLIED"
    case XML_ATTRIBUTE_FIXED: text += " #FIXED"
    default: break
    }
    if let value = attribute.defaultValue {
      text += " \"\(Self.defaultValue(String(libxml: value)))\""
    }
    text += ">\n"
  }

  private mutating func writeNames(_ first: xmlEnumerationPtr?) {
    var names: [String] = []
    var next = first
    while let name = next {
      names.append(String(libxml: name.pointee.name))
      next = name.pointee.next
    }
    text += "(\(names.joined(separator: " | ")))"
  }

  /// A default value. libxml2 has replaced all references in it but those to entities of the document, and the one to
  /// an ampersand, which it keeps as `&#38;`; so each ampersand begins a reference.
  private static func defaultValue(_ value: String) -> String {
    escaped(value) { scalar in
      switch scalar {
      case "<": "&lt;"
      case "\"": "&quot;"
      // Readers make a space of these.
      case "\t", "\n", "\r": "&#\(scalar.value);"
      default: nil
      }
    }
  }

  // MARK: - Parts

  private static func name(_ name: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?) -> String {
    prefix.map { String(libxml: $0) + ":" + String(libxml: name) } ?? String(libxml: name)
  }

  private mutating func writeIDs(_ publicID: UnsafePointer<xmlChar>?, _ systemID: UnsafePointer<xmlChar>?) {
    guard publicID != nil || systemID != nil else { return }
    text += publicID.map { " PUBLIC \"\(Self.publicID($0))\"" } ?? " SYSTEM"
    let id = String(libxml: systemID)
    // Both quotes are in none that a parser of XML has read. In a URI this is the same.
    text += Self.quote(for: id).map { " \($0)\(id)\($0)" } ?? " \"\(id.replacing("\"", with: "%22"))\""
  }

  /// Returns a public identifier, with characters that are not allowed (but may occur in HTML) replaced by spaces.
  private static func publicID(_ id: UnsafePointer<xmlChar>) -> String {
    String(
      String.UnicodeScalarView(
        String(libxml: id).unicodeScalars.map { XML.DocumentType.isPublicID($0) ? $0 : " " }
      )
    )
  }

  /// Returns the quotes for a literal.
  private static func quote(for text: String) -> String? {
    if !text.utf8.contains(UInt8(ascii: "\"")) { return "\"" }
    return text.utf8.contains(UInt8(ascii: "'")) ? nil : "'"
  }

  private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if let escape = escape(scalar) { result += escape } else { result.unicodeScalars.append(scalar) }
    }
  }
}

extension XML.Node {
  /// The identifiers of a document type.
  var documentTypeIDs: (publicID: String?, systemID: String?) {
    withPointer { node in
      let type = UnsafeMutableRawPointer(node).assumingMemoryBound(to: xmlDtd.self).pointee
      return (type.ExternalID.map { String(libxml: $0) }, type.SystemID.map { String(libxml: $0) })
    }
  }
}
