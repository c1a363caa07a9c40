internal import CLibXML2

extension XML.Node {
  /// Calls `body` with the namespace of an element or attribute, nil for none.
  func withNamespace<Result>(_ body: (xmlNsPtr?) -> Result) -> Result {
    withPointer { body(Self.namespace(of: $0)) }
  }

  /// The namespace of an element or attribute, which have the field in different places.
  static func namespace(of node: xmlNodePtr) -> xmlNsPtr? {
    switch node.pointee.type {
    case XML_ELEMENT_NODE: node.pointee.ns
    case XML_ATTRIBUTE_NODE:
      UnsafeMutableRawPointer(node).assumingMemoryBound(to: xmlAttr.self).pointee.ns
    default: nil
    }
  }

  /// The first node in an element or the document.
  var firstChild: XML.Node? { withPointer { XML.Node(document: document, optional: $0.pointee.children) } }

  /// Calls `body` for the nodes directly in an element or the document until it returns false.
  func forEachChild(_ body: (xmlNodePtr) -> Bool) {
    withPointer { node in
      var next = node.pointee.children
      while let child = next, body(child) { next = child.pointee.next }
    }
  }

  /// Calls `body` for the attributes until it returns false.
  func forEachAttribute(_ body: (xmlAttrPtr) -> Bool) {
    guard kind == .element else { return }
    withPointer { node in
      var next = node.pointee.properties
      while let attribute = next, body(attribute) { next = attribute.pointee.next }
    }
  }

  /// The maximum depth of the elements of a tree.
  static func depth(of tree: xmlDocPtr) -> Int {
    var deepest = 0
    var depth = 0
    var next = tree.pointee.children
    while let node = next {
      if node.pointee.type == XML_ELEMENT_NODE, let child = node.pointee.children {
        depth += 1
        deepest = max(deepest, depth)
        next = child
        continue
      }
      var last = node
      while last.pointee.next == nil, depth > 0, let parent = last.pointee.parent {
        last = parent
        depth -= 1
      }
      next = last.pointee.next
    }
    return deepest + 1
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

  /// The characters below a node, without recursion.
  static func text(below top: xmlNodePtr) -> [UInt8] {
    var bytes: [UInt8] = []
    var next = top.pointee.children
    while let node = next {
      if isCharacters(node), let content = node.pointee.content {
        bytes.append(contentsOf: UnsafeBufferPointer(start: content, count: length(content)))
      }
      if node.pointee.type == XML_ELEMENT_NODE, let child = node.pointee.children {
        next = child
        continue
      }
      var last = node
      while last.pointee.next == nil, let parent = last.pointee.parent, parent != top { last = parent }
      next = last.pointee.next
    }
    return bytes
  }

  /// Calls `body` with the prefixes and namespaces that an element declares, until it returns false. No
  /// prefix means the default namespace.
  func forEachDeclaration(_ body: (UnsafePointer<xmlChar>?, UnsafePointer<xmlChar>?) -> Bool) {
    guard kind == .element else { return }
    withPointer { node in
      var next = node.pointee.nsDef
      while let declaration = next, body(declaration.pointee.prefix, declaration.pointee.href) {
        next = declaration.pointee.next
      }
    }
  }
}
