internal import CLibXML2

extension XML {
  /// The value of an XPath 1.0 expression, one of the four types of the language.
  public enum XPathValue: Sendable, Hashable {
    /// Nodes in document order, each once.
    case nodeSet([Node])
    /// Text.
    case literal(String)
    /// A number, which may be infinite or not a number.
    case number(Double)
    /// A truth value.
    case boolean(Bool)

    /// The nodes; empty if the value is no node set.
    public var nodes: [Node] {
      if case .nodeSet(let nodes) = self { nodes } else { [] }
    }

    /// The first node, if there is one.
    public var first: Node? { nodes.first }

    /// The value as text, by the rules of XPath's function `string` (section 4.2): of nodes that of the
    /// first, of none an empty string.
    public var string: String {
      switch self {
      case .nodeSet(let nodes): return nodes.first?.text ?? ""
      case .literal(let text): return text
      case .boolean(let value): return value ? "true" : "false"
      case .number(let value):
        let text = xmlXPathCastNumberToString(value)
        defer { stagecoach_xml_free(text) }
        return String(libxml: text)
      }
    }
  }
}
