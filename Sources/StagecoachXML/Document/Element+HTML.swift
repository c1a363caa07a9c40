extension XML.Element {
  /// Replaces names of the element and its attributes that XML does not allow, as HTML specifies (13.2.9).
  mutating func coerceTagFromHTML() {
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
  }
}

extension String {
  /// The text with a space wherever two hyphens would touch, or one would end it.
  var asXMLComment: String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar == "-", text.unicodeScalars.last == "-" { text += " " }
      text.unicodeScalars.append(scalar)
    }
    return text.unicodeScalars.last == "-" ? text + " " : text
  }
}
