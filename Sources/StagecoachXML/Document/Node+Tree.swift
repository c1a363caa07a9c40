internal import CLibXML2

extension XML.Node {
  /// The namespace of an element or attribute; both have the field in the same place.
  var namespace: xmlNsPtr? {
    switch kind {
    case .element: pointer.pointee.ns
    case .attribute:
      UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: xmlAttr.self).pointee.ns
    default: nil
    }
  }

  /// Calls `body` for the attributes until it returns false.
  func forEachAttribute(_ body: (xmlAttrPtr) -> Bool) {
    guard kind == .element else { return }
    var next = pointer.pointee.properties
    while let attribute = next {
      guard body(attribute) else { return }
      next = attribute.pointee.next
    }
  }

  /// An attribute as a node: libxml2 gives both the same first fields.
  static func node(_ attribute: xmlAttrPtr) -> xmlNodePtr {
    UnsafeMutableRawPointer(attribute).assumingMemoryBound(to: xmlNode.self)
  }

  static func isNamespace(_ uri: UnsafePointer<xmlChar>?, _ wanted: String?) -> Bool {
    switch (uri, wanted) {
    case (nil, nil): true
    case (let uri?, let wanted?): wanted.equals(libxml: uri)
    default: false
    }
  }

  static func isCharacters(_ node: xmlNodePtr) -> Bool {
    node.pointee.type == XML_TEXT_NODE || node.pointee.type == XML_CDATA_SECTION_NODE
  }

  /// Appends the characters below the node, without recursion.
  func appendText(to bytes: inout [UInt8]) {
    var next = pointer.pointee.children
    while let node = next {
      if Self.isCharacters(node), let content = node.pointee.content {
        bytes.append(contentsOf: UnsafeBufferPointer(start: content, count: length(content)))
      }
      if node.pointee.type == XML_ELEMENT_NODE, let child = node.pointee.children {
        next = child
        continue
      }
      var last = node
      while last.pointee.next == nil, let parent = last.pointee.parent, parent != pointer { last = parent }
      next = last.pointee.next
    }
  }

  /// Calls `body` with the prefixes and namespaces that an element declares, until it returns false. No
  /// prefix means the default namespace.
  func forEachDeclaration(_ body: (UnsafePointer<xmlChar>?, UnsafePointer<xmlChar>?) -> Bool) {
    guard kind == .element else { return }
    var next = pointer.pointee.nsDef
    while let declaration = next {
      guard body(declaration.pointee.prefix, declaration.pointee.href) else { return }
      next = declaration.pointee.next
    }
  }
}
