internal import CLibXML2

/// Keeps the violations that libxml2 reports while it validates the copy of a document.
final class ViolationCollector {
  private let limit: Int
  private var count = 0
  private var found: [Found] = []

  /// A violation, with the way to its element that is the same in the copy and in the document.
  private struct Found {
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
    let violation = XML.Violation(message: message)
    return XML.ValidationReport(violations: limit > 0 ? [violation] : [], count: 1)
  }

  private func note(_ error: xmlError) {
    guard error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    count += 1
    guard found.count < limit else { return }
    found.append(
      Found(
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
      let node = document.root.withPointer { root in
        var element = root
        for step in steps {
          guard let child = Self.element(step, in: element) else { break }
          element = child
        }
        return XML.Node(document: document, pointer: element)
      }
      path = node.path + (Self.attribute(in: found.message, of: node).map { "/@" + $0 } ?? "")
      line = node.line
    }
    return XML.Violation(message: found.message, line: line, path: path, code: found.code)
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
}
