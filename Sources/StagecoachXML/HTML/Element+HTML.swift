extension XML.Element {
  /// Writes what XML cannot say in ways that it can, as HTML wants it (13.2.9). Pages are at most 256 levels deep, so
  /// this may call itself.
  mutating func coerceFromHTML() {
    name.localName = name.localName.asXMLName
    let all = attributes
    attributes = []
    for attribute in all where attribute.name.localName != "xmlns" {
      let words = attribute.name.localName.split(
        separator: ":",
        maxSplits: 1,
        omittingEmptySubsequences: false
      )
      switch (words.first, words.count) {
      // Names are in no namespace, whatever the page declares.
      case ("xmlns", 2): continue
      case ("xml", 2):
        let name = XML.Name(String(words[1]).asXMLName, namespace: ElementNamespaces.xml, prefix: "xml")
        self[name] = self[name] ?? attribute.value
      default:
        let name = XML.Name(attribute.name.localName.asXMLName)
        self[name] = self[name] ?? attribute.value
      }
    }
    children = children.map { child in
      switch child {
      case .element(var element):
        element.coerceFromHTML()
        return .element(element)
      case .comment(let text): return .comment(text.asXMLComment)
      case .processingInstruction(let target, let data):
        return .processingInstruction(target: target.asXMLName, data: data)
      case .text, .cdata: return child
      }
    }
  }
}

extension String {
  /// The text with a space wherever two hyphens would touch, or one would end it.
  fileprivate var asXMLComment: String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar == "-", text.unicodeScalars.last == "-" { text += " " }
      text.unicodeScalars.append(scalar)
    }
    return text.unicodeScalars.last == "-" ? text + " " : text
  }
}
