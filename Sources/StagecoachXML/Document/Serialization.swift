internal import CLibXML2

extension XML.Node {
  /// The node as XML in UTF-8.
  ///
  /// An element carries the namespace declarations it needs, also those of its ancestors, so the text is
  /// well formed by itself. Of the document it is the whole text with a declaration.
  public var xmlString: String {
    document.withExclusiveTree { tree in
      guard let buffer = xmlBufferCreate() else { return "" }
      defer { xmlBufferFree(buffer) }
      let options = XML_SAVE_AS_XML.rawValue | XML_SAVE_NO_XHTML.rawValue
      guard let context = xmlSaveToBuffer(buffer, "UTF-8", Int32(bitPattern: options)) else { return "" }
      switch kind {
      case .document:
        xmlSaveDoc(context, tree)
        xmlSaveClose(context)
      case .element:
        // A copy outside the document brings along the declarations of its ancestors.
        let copy = xmlCopyNode(pointer, 1)
        xmlSaveTree(context, copy)
        xmlSaveClose(context)
        xmlFreeNode(copy)
      default:
        xmlSaveTree(context, pointer)
        xmlSaveClose(context)
      }
      let text = String(libxml: xmlBufferContent(buffer))
      // libxml2 puts the space before an attribute that a tag would need.
      return kind == .attribute ? String(text.drop { $0 == " " }) : text
    }
  }
}
