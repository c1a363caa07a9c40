internal import CLibXML2

extension XML.XPathValue {
  /// Returns the value as an object of libxml2, which the caller frees; `nil` if it contains a zero byte or memory ran
  /// out.
  func makeObject() -> xmlXPathObjectPtr? {
    switch self {
    case .literal(let text): return text.utf8.contains(0) ? nil : xmlXPathNewString(text)
    case .number(let number): return xmlXPathNewFloat(number)
    case .boolean(let value): return xmlXPathNewBoolean(value ? 1 : 0)
    case .nodeSet(let nodes):
      guard let object = xmlXPathNewNodeSet(nil) else { return nil }
      // A set contains each node once.
      var seen: Set<XML.Node> = []
      for node in nodes where seen.insert(node).inserted {
        guard node.withPointer({ xmlXPathNodeSetAddUnique(object.pointee.nodesetval, $0) }) == 0 else {
          xmlXPathFreeObject(object)
          return nil
        }
      }
      return object
    }
  }
}

extension XML.Node {
  /// Adds variables to an evaluation, whose context then owns them.
  ///
  /// - Returns: The name of an invalid variable, or of one with an invalid value; `nil` if all are valid.
  func register(_ variables: [String: XML.XPathValue], in context: xmlXPathContextPtr) -> String? {
    for (name, value) in variables {
      guard name.isXMLName, value.nodes.allSatisfy({ $0.document === document }),
        let object = value.makeObject()
      else { return name }
      guard xmlXPathRegisterVariable(context, name, object) == 0 else {
        xmlXPathFreeObject(object)
        return name
      }
    }
    return nil
  }
}
