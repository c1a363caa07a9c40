internal import CLibXML2

/// Keeps the violations that libxml2 reports while it validates the copy of a document.
final class ViolationCollector {
  private let limit: Int
  private var count = 0
  private var found: [Found] = []

  /// A violation, with the way to its element that is the same in the copy and in the document.
  private struct Found {
    let kind: XML.Violation.Kind
    let message: String
    let code: Int
    let line: Int
    /// The numbers of the elements among their sibling elements, from below the root element; nil if
    /// libxml2 names no node.
    let steps: [Int]?
  }

  init(limit: Int) { self.limit = max(0, limit) }

  /// Runs libxml2 while errors of this thread are kept here.
  func collecting<Result>(_ body: () -> Result) -> Result {
    let saved = stagecoach_xml_redirect(
      { collector, error in
        guard let collector, let error else { return }
        Unmanaged<ViolationCollector>.fromOpaque(collector).takeUnretainedValue().note(error.pointee)
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
    defer { stagecoach_xml_restore(saved) }
    return withExtendedLifetime(self) { body() }
  }

  /// Returns the report, with positions in the document itself.
  func report(on document: XML.Document, isValid: Bool) -> XML.ValidationReport {
    if !isValid, count == 0 {
      // Such as want of memory, which it does not always report.
      return report("libxml2 could not finish the validation")
    }
    return XML.ValidationReport(violations: found.map { violation($0, in: document) }, count: count)
  }

  /// Returns the report for a document beyond a limit that was not validated.
  func report(exceeding name: String, _ value: Int) -> XML.ValidationReport {
    report("not validated: exceeds the limit XML.Schema.Limits.\(name) = \(value)")
  }

  private func report(_ message: String) -> XML.ValidationReport {
    let violation = XML.Violation(kind: .other, message: message)
    return XML.ValidationReport(violations: limit > 0 ? [violation] : [], count: 1)
  }

  private func note(_ error: xmlError) {
    guard error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    count += 1
    guard found.count < limit else { return }
    found.append(
      Found(
        kind: XML.Violation.Kind(code: error.code, domain: error.domain),
        message: String(String(libxmlMessage: error.message).prefix(1_024)),
        code: Int(error.code),
        line: Int(error.line),
        steps: error.node.flatMap { Self.steps(to: $0.assumingMemoryBound(to: xmlNode.self)) }
      )
    )
  }

  /// The way to an element, or to the one that holds another node. The links to siblings in front and to
  /// parents are in order even while RELAX NG reorders children.
  private static func steps(to node: xmlNodePtr) -> [Int]? {
    var steps: [Int] = []
    var next: xmlNodePtr? = node
    while let node = next, node.pointee.type != XML_ELEMENT_NODE { next = node.pointee.parent }
    guard var element = next else { return nil }
    while let parent = element.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE {
      var number = 0
      var sibling = element.pointee.prev
      while let previous = sibling {
        if previous.pointee.type == XML_ELEMENT_NODE { number += 1 }
        sibling = previous.pointee.prev
      }
      steps.append(number)
      element = parent
    }
    return steps.reversed()
  }

  private func violation(_ found: Found, in document: XML.Document) -> XML.Violation {
    var path: String?
    var line = found.line > 0 ? found.line : nil
    if let steps = found.steps {
      var (text, node) = document.root.withPointer { root in
        var element = root
        var text = "/" + Self.qualifiedName(element)
        for step in steps {
          guard let child = Self.element(step, in: element) else { break }
          element = child
          text += "/" + Self.qualifiedName(element) + Self.predicate(of: element)
        }
        return (text, XML.Node(document: document, pointer: element))
      }
      if let attribute = Self.attribute(in: found.message, of: node) { text += "/@" + attribute }
      path = text
      line = node.line
    }
    return XML.Violation(kind: found.kind, message: found.message, line: line, path: path, code: found.code)
  }

  /// Returns the attribute at the start of a message, the only place where libxml2 names it: `Element 'a', attribute
  /// '{urn:b}c': …`.
  private static func attribute(in message: String, of element: XML.Node) -> String? {
    guard message.contains("attribute '") else { return nil }
    return element.attributes.first { attribute in
      let name = attribute.namespaceURI.map { "{\($0)}" + attribute.localName } ?? attribute.localName
      return message.contains("', attribute '\(name)': ")
    }?.name
  }

  private static func element(_ number: Int, in parent: xmlNodePtr) -> xmlNodePtr? {
    var number = number
    var next = parent.pointee.children
    while let node = next {
      if node.pointee.type == XML_ELEMENT_NODE {
        if number == 0 { return node }
        number -= 1
      }
      next = node.pointee.next
    }
    return nil
  }

  /// The number among siblings of the same name, where there are several.
  private static func predicate(of element: xmlNodePtr) -> String {
    func count(_ next: (xmlNodePtr) -> xmlNodePtr?, upTo limit: Int) -> Int {
      var count = 0
      var sibling = next(element)
      while let node = sibling, count < limit {
        if node.pointee.type == XML_ELEMENT_NODE, haveSameName(node, element) { count += 1 }
        sibling = next(node)
      }
      return count
    }
    let before = count({ $0.pointee.prev }, upTo: .max)
    guard before > 0 || count({ $0.pointee.next }, upTo: 1) > 0 else { return "" }
    return "[\(before + 1)]"
  }

  private static func haveSameName(_ left: xmlNodePtr, _ right: xmlNodePtr) -> Bool {
    xmlStrEqual(left.pointee.name, right.pointee.name) != 0
      && xmlStrEqual(left.pointee.ns?.pointee.prefix, right.pointee.ns?.pointee.prefix) != 0
  }

  private static func qualifiedName(_ element: xmlNodePtr) -> String {
    let name = String(libxml: element.pointee.name)
    return element.pointee.ns?.pointee.prefix.map { String(cString: $0) + ":" + name } ?? name
  }
}

extension XML.Violation.Kind {
  /// The kind that a rule of libxml2 belongs to.
  fileprivate init(code: Int32, domain: Int32) {
    let code = UInt32(bitPattern: code)
    if domain == XML_FROM_SCHEMASV.rawValue {
      self = .init(schemaCode: code)
    } else if domain == XML_FROM_RELAXNGV.rawValue {
      self = .init(relaxNGCode: code)
    } else {
      self = domain == XML_FROM_VALID.rawValue ? .identity : .other
    }
  }

  private init(schemaCode code: UInt32) {
    switch code {
    case XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1.rawValue...XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_3.rawValue,
      XML_SCHEMAV_CVC_FACET_VALID.rawValue...XML_SCHEMAV_CVC_ENUMERATION_VALID.rawValue,
      XML_SCHEMAV_CVC_ELT_5_2_2_2_1.rawValue, XML_SCHEMAV_CVC_ELT_5_2_2_2_2.rawValue,
      XML_SCHEMAV_CVC_ATTRIBUTE_3.rawValue, XML_SCHEMAV_CVC_ATTRIBUTE_4.rawValue,
      XML_SCHEMAV_CVC_AU.rawValue:
      self = .value
    case XML_SCHEMAV_CVC_TYPE_3_1_1.rawValue, XML_SCHEMAV_CVC_ATTRIBUTE_1.rawValue,
      XML_SCHEMAV_CVC_ATTRIBUTE_2.rawValue,
      XML_SCHEMAV_CVC_COMPLEX_TYPE_3_1.rawValue...XML_SCHEMAV_CVC_COMPLEX_TYPE_5_2.rawValue:
      self = .attribute
    case XML_SCHEMAV_CVC_IDC.rawValue: self = .identity
    case XML_SCHEMAV_ELEMENT_CONTENT.rawValue, XML_SCHEMAV_CVC_TYPE_3_1_2.rawValue,
      XML_SCHEMAV_CVC_COMPLEX_TYPE_1.rawValue, XML_SCHEMAV_CVC_WILDCARD.rawValue,
      XML_SCHEMAV_CVC_COMPLEX_TYPE_2_1.rawValue...XML_SCHEMAV_CVC_ELT_5_2_2_1.rawValue:
      self = .content
    default: self = .other
    }
  }

  private init(relaxNGCode code: UInt32) {
    switch code {
    case XML_RELAXNG_ERR_TYPE.rawValue, XML_RELAXNG_ERR_TYPEVAL.rawValue,
      XML_RELAXNG_ERR_TYPECMP.rawValue, XML_RELAXNG_ERR_LISTEXTRA.rawValue,
      XML_RELAXNG_ERR_LISTEMPTY.rawValue,
      XML_RELAXNG_ERR_DATATYPE.rawValue...XML_RELAXNG_ERR_LIST.rawValue:
      self = .value
    case XML_RELAXNG_ERR_ATTRNAME.rawValue, XML_RELAXNG_ERR_ATTRNONS.rawValue,
      XML_RELAXNG_ERR_ATTRWRONGNS.rawValue, XML_RELAXNG_ERR_ATTREXTRANS.rawValue,
      XML_RELAXNG_ERR_ATTRVALID.rawValue, XML_RELAXNG_ERR_INVALIDATTR.rawValue:
      self = .attribute
    case XML_RELAXNG_ERR_DUPID.rawValue: self = .identity
    case XML_RELAXNG_ERR_INTERSEQ.rawValue...XML_RELAXNG_ERR_TEXTWRONG.rawValue: self = .content
    default: self = .other
    }
  }
}
