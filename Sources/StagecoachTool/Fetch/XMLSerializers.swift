#if Tool
  import Stagecoach
  import StagecoachXML

  /// Reads an XML document and writes it anew in UTF-8.
  struct XMLTextSerializer: ResponseSerializer {
    let name = "XMLText"
    let accepts = Acceptance.xmlDocument

    func serialize(_ response: Response) async throws -> FetchOutput {
      .xml(try await response.xmlDocument().xmlString)
    }
  }

  /// Reads an XML document and evaluates an XPath expression.
  struct XPathSerializer: ResponseSerializer {
    let name = "XPath"
    let accepts = Acceptance.xmlDocument
    let expression: String

    /// - Throws: `ExchangeError` of kind `invalidRequest` if the expression can be evaluated nowhere.
    init(expression: String) throws {
      self.expression = expression
      let parser = XML.DocumentParser()
      try Bytes("<any/>").withUnsafeBytes { try parser.append($0) }
      do {
        _ = try parser.finish().xpath(expression)
      } catch let error as XML.XPathError where error.reason != .undeclaredPrefix {
        throw ExchangeError(.invalidRequest, "\(error)", underlying: error)
      } catch {}
    }

    func serialize(_ response: Response) async throws -> FetchOutput {
      let document = try await response.xmlDocument()
      return switch try document.xpath(expression, namespaces: Self.namespaces(of: document)) {
      case .nodeSet(let nodes): .nodes(nodes.map(\.text))
      case .literal(let text): .scalar(.string(text))
      case .boolean(let value): .scalar(.bool(value))
      case let value:
        // JSON has no infinities and nothing that is not a number.
        .scalar(JSONNumber(value.string).map { .number($0) } ?? .string(value.string))
      }
    }

    /// What the prefixes of the document stand for, the first meaning of each, and `_` for the default
    /// namespace of the root element, for which XPath 1.0 has no name.
    private static func namespaces(of document: XML.Document) -> [String: String] {
      var namespaces: [String: String] = [:]
      var rest = [document.root]
      while let node = rest.popLast() {
        for node in [node] + node.attributes {
          guard let prefix = node.prefix, namespaces[prefix] == nil else { continue }
          namespaces[prefix] = node.namespaceURI
        }
        rest += node.elements.reversed()
      }
      if document.root.prefix == nil { namespaces["_"] = document.root.namespaceURI }
      return namespaces
    }
  }

  extension Acceptance {
    fileprivate static let xmlDocument = Acceptance(mediaTypes: [.xml, .textXML, .anyXMLSuffix])
  }

  extension Response {
    /// Parses the body as it comes, within the body limit.
    fileprivate func xmlDocument() async throws -> XML.Document {
      let parser = XML.DocumentParser(encoding: mediaType?.charset?.name)
      var rest = request?.options.bodyLimit ?? BodyLimit.defaultValue
      for try await chunk in body {
        rest -= chunk.count
        guard rest >= 0 else { throw ExchangeError(.limit(.body), "the document is longer than the body limit") }
        try chunk.withUnsafeBytes { try parser.append($0) }
      }
      return try parser.finish()
    }
  }
#endif
