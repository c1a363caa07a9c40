internal import CLibXML2

/// A copy of a tree that one call owns.
struct TreeCopy: Sendable {
  // Safe: nobody else knows the copy.
  nonisolated(unsafe) let tree: xmlDocPtr?

  init(of tree: xmlDocPtr) { self.tree = xmlCopyDoc(tree, 1) }

  /// How many elements stand in each other at most.
  var depth: Int {
    var deepest = 0
    var depth = 0
    var next = tree?.pointee.children
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

  func free() { xmlFreeDoc(tree) }
}
