internal import CLibXML2

extension XML.Node {
  /// The longest expression, in bytes of UTF-8.
  private static let expressionSize = 64 << 10

  /// Evaluates an XPath 1.0 expression with this node as its context: `title` selects its children, `//title` all
  /// elements of the document.
  ///
  /// - Parameters:
  ///   - expression: The expression, up to 64 KiB. A name without prefix is in no namespace (XPath 1.0, section 2.3).
  ///   - namespaces: The namespaces of the prefixes in the expression; an empty prefix is ignored.
  ///   - variables: The values of the variables of the expression, `$name`; nodes must be of this document.
  ///   - operationLimit: The maximum number of steps of the evaluation. They only partly limit its time, see
  ///     ``XML/Document/defaultOperationLimit``, the default.
  /// - Returns: The value.
  /// - Throws: ``XML/XPathError`` if the expression has no value.
  public func xpath(
    _ expression: String,
    namespaces: [String: String] = [:],
    variables: [String: XML.XPathValue] = [:],
    operationLimit: Int = XML.Document.defaultOperationLimit
  ) throws(XML.XPathError) -> XML.XPathValue {
    guard expression.utf8.count <= Self.expressionSize else {
      throw XML.XPathError(
        reason: .limit(name: "expression size", value: Self.expressionSize),
        expression: expression
      )
    }
    guard !expression.utf8.contains(0) else {
      throw XML.XPathError(reason: .invalid(message: "a zero byte", offset: nil), expression: expression)
    }
    return try document.withExclusiveTree { tree throws(XML.XPathError) in
      try evaluate(
        expression,
        in: tree,
        namespaces: namespaces,
        variables: variables,
        operationLimit: max(1, operationLimit)
      )
    }
  }

  private func evaluate(
    _ expression: String,
    in tree: xmlDocPtr,
    namespaces: [String: String],
    variables: [String: XML.XPathValue],
    operationLimit: Int
  ) throws(XML.XPathError) -> XML.XPathValue {
    let errors = XPathErrors(operationLimit: operationLimit)
    guard let context = xmlXPathNewContext(tree) else {
      throw XML.XPathError(reason: errors.reason, expression: expression)
    }
    defer { xmlXPathFreeContext(context) }
    withPointer { context.pointee.node = $0 }
    context.pointee.opLimit = UInt(operationLimit)
    context.pointee.userData = Unmanaged.passUnretained(errors).toOpaque()
    context.pointee.error = { errors, error in
      guard let errors, let error else { return }
      Unmanaged<XPathErrors>.fromOpaque(errors).takeUnretainedValue().note(error.pointee)
    }
    // XPath 1.0 has no default namespace.
    for (prefix, uri) in namespaces where !prefix.isEmpty {
      guard !prefix.utf8.contains(0), !uri.utf8.contains(0), xmlXPathRegisterNs(context, prefix, uri) == 0
      else { throw XML.XPathError(reason: .undeclaredPrefix, expression: expression) }
    }
    if let name = register(variables, in: context) {
      throw XML.XPathError(reason: .invalidVariable(name: name), expression: expression)
    }
    let saved = stagecoach_xml_redirect({ _, _ in }, nil)
    let result = withExtendedLifetime(errors) { xmlXPathEvalExpression(expression, context) }
    stagecoach_xml_restore(saved)
    guard let result else {
      // Not every place in libxml2 that stops at the limit reports it.
      let isLimit = errors.isEmpty && context.pointee.opCount >= context.pointee.opLimit
      let reason = isLimit ? .limit(name: "operations", value: operationLimit) : errors.reason
      throw XML.XPathError(reason: reason, expression: expression)
    }
    defer { xmlXPathFreeObject(result) }
    switch result.pointee.type {
    case XPATH_NODESET:
      guard let nodes = nodes(of: result.pointee.nodesetval) else {
        throw XML.XPathError(reason: .namespaceNodes, expression: expression)
      }
      return .nodeSet(nodes)
    case XPATH_STRING: return .literal(String(libxml: result.pointee.stringval))
    case XPATH_NUMBER: return .number(result.pointee.floatval)
    case XPATH_BOOLEAN: return .boolean(result.pointee.boolval != 0)
    default: throw XML.XPathError(reason: errors.reason, expression: expression)
    }
  }

  /// The nodes of a set in document order; nil if there are namespace nodes, which only the set owns.
  private func nodes(of set: xmlNodeSetPtr?) -> [XML.Node]? {
    guard let set else { return [] }
    xmlXPathNodeSetSort(set)
    var nodes: [XML.Node] = []
    for node in UnsafeBufferPointer(start: set.pointee.nodeTab, count: Int(set.pointee.nodeNr)) {
      guard let node else { continue }
      guard node.pointee.type != XML_NAMESPACE_DECL else { return nil }
      nodes.append(XML.Node(document: document, pointer: node))
    }
    return nodes
  }
}

/// Keeps the first error of one evaluation.
private final class XPathErrors {
  private(set) var reason: XML.XPathError.Reason = .invalid(message: "no value", offset: nil)
  private let operationLimit: Int
  private(set) var isEmpty = true

  init(operationLimit: Int) { self.operationLimit = operationLimit }

  func note(_ error: xmlError) {
    guard isEmpty else { return }
    isEmpty = false
    switch error.code - Int32(XML_XPATH_EXPRESSION_OK.rawValue) {
    case Int32(XPATH_OP_LIMIT_EXCEEDED.rawValue):
      reason = .limit(name: "operations", value: operationLimit)
    case Int32(XPATH_RECURSION_LIMIT_EXCEEDED.rawValue): reason = .limit(name: "nesting", value: 5000)
    case Int32(XPATH_UNDEF_PREFIX_ERROR.rawValue): reason = .undeclaredPrefix
    case Int32(XPATH_UNDEF_VARIABLE_ERROR.rawValue): reason = .undefinedVariable
    case Int32(XPATH_UNKNOWN_FUNC_ERROR.rawValue): reason = .unknownFunction
    default:
      let hasPlace = error.str1 != nil && error.int1 >= 0
      reason = .invalid(
        message: String(libxmlMessage: error.message),
        offset: hasPlace ? Int(error.int1) : nil
      )
    }
  }
}
