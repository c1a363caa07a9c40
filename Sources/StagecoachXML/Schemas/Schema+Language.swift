extension XML.Schema {
  /// The schema languages.
  @nonexhaustive
  public enum Language: Sendable, Hashable {
    /// XML Schema 1.0.
    case xmlSchema
    /// RELAX NG in its XML syntax.
    case relaxNG
  }
}

extension XML.Schema.Language {
  /// The language that a root element belongs to.
  init?(root: XML.Node) {
    switch root.namespaceURI {
    case Self.xmlSchema.namespace where root.localName == "schema": self = .xmlSchema
    case Self.relaxNG.namespace: self = .relaxNG
    default: return nil
    }
  }

  /// The namespace of its elements.
  var namespace: String {
    switch self {
    case .xmlSchema: "http://www.w3.org/2001/XMLSchema"
    case .relaxNG: "http://relaxng.org/ns/structure/1.0"
    }
  }
}
