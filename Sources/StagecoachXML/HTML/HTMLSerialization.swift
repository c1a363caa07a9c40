extension XML.Node {
  /// The node as HTML: void elements without an end tag, scripts and style sheets unchanged, text and attributes
  /// escaped (HTML 13.3).
  ///
  /// It is meant for documents from ``XML/HTMLParser``. The document is written with its document type, an attribute
  /// with its value, and an element with its tags.
  public var htmlString: String {
    var writer = NodeWriter(document, isHTML: true)
    writer.write(self)
    return writer.markup.text()
  }
}

extension XML.Document {
  /// The document as HTML in Unicode; a `<meta>` with another charset is not changed.
  public var htmlString: String { node.htmlString }
}
