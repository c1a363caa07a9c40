#if Tool
  import Stagecoach
  import StagecoachXML

  /// An XPath expression, checked before anything is sent.
  struct XPathQuery: Sendable {
    private let expression: String

    /// - Throws: `ExchangeError` of kind `invalidRequest` if no document has a value for the expression.
    init(_ expression: String) throws {
      self.expression = expression
      let parser = XML.DocumentParser()
      try Bytes("<any/>").withUnsafeBytes { try parser.append($0) }
      do {
        _ = try parser.finish().xpath(expression)
      } catch let error as XML.XPathError {
        // The document to come may declare the prefix.
        guard error.reason != .undeclaredPrefix else { return }
        throw ExchangeError(.invalidRequest, "\(error)", underlying: error)
      }
    }

    /// The value of the expression.
    ///
    /// - Throws: `XML.XPathError`.
    func evaluate(in document: XML.Document) throws -> FetchOutput {
      switch try document.xpath(expression, namespaces: Self.namespaces(of: document)) {
      case .nodeSet(let nodes): .nodes(nodes.map(\.text))
      case .literal(let text): .scalar(.string(text))
      case .boolean(let value): .scalar(.bool(value))
      case let value:
        // JSON can represent neither infinities nor NaN.
        .scalar(JSONNumber(value.string).map { .number($0) } ?? .string(value.string))
      }
    }

    /// The namespaces of the document's prefixes (the first declaration of each), and `_` for the default namespace of
    /// the root element, which has no name in XPath 1.0.
    private static func namespaces(of document: XML.Document) -> [String: String] {
      var namespaces: [String: String] = [:]
      var rest = [document.root]
      while let element = rest.popLast() {
        for node in [element] + element.attributes {
          guard let prefix = node.prefix, namespaces[prefix] == nil else { continue }
          namespaces[prefix] = node.namespaceURI
        }
        rest += element.elements.reversed()
      }
      if document.root.prefix == nil { namespaces["_"] = document.root.namespaceURI }
      return namespaces
    }
  }
#endif
