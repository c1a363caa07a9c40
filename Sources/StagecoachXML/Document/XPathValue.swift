internal import CLibXML2

extension XML {
  /// The value of an XPath 1.0 expression, one of the four types of the language.
  public enum XPathValue: Sendable, Hashable {
    /// Nodes in document order, without duplicates.
    case nodeSet([Node])
    /// Text.
    case literal(String)
    /// A number, which may be infinite or not a number.
    case number(Double)
    /// A boolean.
    case boolean(Bool)

    /// The nodes; empty if the value is not a node set.
    public var nodes: [Node] {
      if case .nodeSet(let nodes) = self { nodes } else { [] }
    }

    /// The first node, if any.
    public var first: Node? { nodes.first }

    /// The value as text, as converted by XPath's function `string`: of a node set the text of the first node, or an
    /// empty string (XPath 1.0, section 4.2).
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
