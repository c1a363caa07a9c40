internal import CLibXML2

/// A copy of a tree that one call owns.
struct TreeCopy: Sendable {
  // Safe: there is no other reference to the copy.
  nonisolated(unsafe) let tree: xmlDocPtr?

  init(of tree: xmlDocPtr) { self.tree = xmlCopyDoc(tree, 1) }

  /// The maximum depth of elements.
  var depth: Int { tree.map { XML.Node.depth(of: $0) } ?? 1 }

  /// The sum of the squares of the numbers of children that elements have, blank text, comments and processing
  /// instructions aside.
  var complexity: Double {
    var sum = 0.0
    var rest = [tree.flatMap { xmlDocGetRootElement($0) }]
    while let element = rest.popLast() {
      var count = 0.0
      var next = element?.pointee.children
      while let node = next {
        switch node.pointee.type {
        case XML_ELEMENT_NODE:
          count += 1
          rest.append(node)
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: if xmlIsBlankNode(node) == 0 { count += 1 }
        default: break
        }
        next = node.pointee.next
      }
      sum += count * count
    }
    return sum
  }

  func free() { xmlFreeDoc(tree) }
}
