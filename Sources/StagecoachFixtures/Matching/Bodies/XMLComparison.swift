import StagecoachCore
import StagecoachXML

/// Compares XML elements under rules.
///
/// Names are compared by namespace and local name. The children with different names may come in any order.
struct XMLComparison {
  private let rules: RuleTable
  private let isStrict: Bool
  private(set) var mismatches: [Mismatch] = []

  /// The maximum depth of elements.
  static let greatestDepth = 64

  /// The limits of a body: comparing is recursive, and has to fit a stack of 512 KiB. A document type definition is
  /// refused.
  static let limits: XML.Limits = {
    var limits = XML.Limits()
    limits.depth = greatestDepth
    limits.internalSubsetSize = 0
    limits.declarations = 0
    limits.entityExpansion = 0
    return limits
  }()

  init(rules: RuleTable, isStrict: Bool) {
    self.rules = rules
    self.isStrict = isStrict
  }

  mutating func compare(_ expected: XML.Document, _ actual: XML.Document) {
    let root = XMLItem(expected.root)
    compare(root, XMLItem(actual.root), at: ValuePath.root.appending(root.step(position: 0)))
  }

  private mutating func compare(_ expected: XMLItem, _ actual: XMLItem, at path: ValuePath) {
    // The frame of this function is needed for each level, so the other work is in functions of its own.
    guard compareWithoutChildren(expected, actual, at: path) else { return }
    compareChildren(expected.children, actual.children, at: path)
  }

  /// Compares names, attributes and texts.
  ///
  /// - Returns: Whether to compare the children.
  private mutating func compareWithoutChildren(_ expected: XMLItem, _ actual: XMLItem, at path: ValuePath)
    -> Bool
  {
    guard expected.name == actual.name else {
      report(
        "Expected '\(expected.label)' to be equal to '\(actual.label)'",
        at: path,
        expected.label,
        actual.label
      )
      return false
    }
    if let hit = rules.best(for: path), !hit.isCascaded {
      let count = actual.children.count
      for problem in hit.problems({ $0.problem(of: actual, childCount: count) }) {
        report(problem, at: path, expected.label, actual.label)
      }
    }
    compareAttributes(expected, actual, at: path)
    compareTexts(expected.text, actual.text, at: path.key("#text"))
    return true
  }

  private mutating func compareAttributes(_ expected: XMLItem, _ actual: XMLItem, at path: ValuePath) {
    let (wanted, received) = (expected.attributes, actual.attributes)
    let (wantedText, receivedText) = (wanted.shownAttributes, received.shownAttributes)
    if isStrict, wanted.isEmpty, !received.isEmpty {
      return report(
        "Did not expect any attributes but received \(receivedText)",
        at: path,
        wantedText,
        receivedText
      )
    }
    if isStrict ? wanted.count != received.count : wanted.count > received.count {
      let least = isStrict ? "" : "at least "
      report(
        "Expected \(least)\(wanted.count) attribute(s) but received \(received.count) attribute(s)",
        at: path,
        wantedText,
        receivedText
      )
    }
    for attribute in wanted {
      let place = path.key("@" + attribute.label)
      if let other = received.first(where: { $0.name == attribute.name }) {
        compareTexts(attribute.value, other.value, at: place)
      } else {
        report(
          "Expected attribute '\(attribute.label)'='\(attribute.value)' but was missing",
          at: place,
          attribute.value,
          nil
        )
      }
    }
    guard isStrict else { return }
    for attribute in received where !wanted.contains(where: { $0.name == attribute.name }) {
      report(
        "Did not expect attribute '\(attribute.label)'='\(attribute.value)'",
        at: path.key("@" + attribute.label),
        nil,
        attribute.value
      )
    }
  }

  private mutating func compareTexts(_ expected: String, _ actual: String, at path: ValuePath) {
    // A condition on a text is not one on the attributes and descendants of its element.
    let hit = rules.best(for: path) { hit in
      hit.distance == 0 || hit.matchers.allSatisfy { !$0.isOfLeaf } || hit.distance == 1 && path.isXMLText
    }
    let problems =
      hit?.problems { $0.problem(expected: expected, actual: actual) }
      ?? [Matcher.equality.problem(expected: expected, actual: actual)].compactMap { $0 }
    for problem in problems { report(problem, at: path, expected, actual) }
  }

  private mutating func report(_ text: String, at path: ValuePath, _ expected: String?, _ actual: String?) {
    mismatches.append(
      Mismatch(.body, path: path.description, expected: expected, actual: actual, message: text)
    )
  }
}

// MARK: - Children

extension XMLComparison {
  private mutating func compareChildren(_ expected: [XMLItem], _ actual: [XMLItem], at path: ValuePath) {
    let lists = (expected.labels, actual.labels)
    if isStrict, expected.isEmpty, !actual.isEmpty {
      return report("Expected no children but received [\(lists.1)]", at: path, lists.0, lists.1)
    }
    var rest = XMLGroups(expected)
    let received = XMLGroups(actual)
    for name in received.names {
      compareGroup(rest.remove(name), received[name], at: path, lists)
    }
    for name in rest.names {
      guard let child = rest[name].first else { continue }
      report("Expected child <\(child.item.label)/> but was missing", at: path, lists.0, lists.1)
    }
  }

  /// Compares the children with a name.
  private mutating func compareGroup(
    _ expected: [XMLGroups.Child],
    _ actual: [XMLGroups.Child],
    at path: ValuePath,
    _ lists: (String, String)
  ) {
    guard let first = actual.first else { return }
    let isFree = isTypeOnly(path.appending(first.item.step(position: first.position)))
    guard let example = expected.first else {
      if isStrict || isFree { report("Unexpected child <\(first.item.label)/>", at: path, lists.0, lists.1) }
      return
    }
    for (index, child) in actual.enumerated() where isFree || index < expected.count {
      let wanted = isFree ? example.item : expected[index].item
      compare(wanted, child.item, at: path.appending(wanted.step(position: child.position)))
    }
    if !isFree { checkCounts(expected, actual, at: path, lists) }
  }

  /// Checks for missing and unexpected children with a name.
  private mutating func checkCounts(
    _ expected: [XMLGroups.Child],
    _ actual: [XMLGroups.Child],
    at path: ValuePath,
    _ lists: (String, String)
  ) {
    for child in expected.dropFirst(actual.count) {
      let place = path.appending(child.item.step(position: child.position))
      report("Expected child <\(child.item.label)/> but was missing", at: place, lists.0, lists.1)
    }
    guard isStrict else { return }
    for child in actual.dropFirst(expected.count) {
      let place = path.appending(child.item.step(position: child.position))
      report("Unexpected child <\(child.item.label)/>", at: place, lists.0, lists.1)
    }
  }

  /// Whether a rule compares an element by type, so that it may occur any number of times.
  private func isTypeOnly(_ path: ValuePath) -> Bool {
    let hit = rules.best(for: path) { hit in hit.distance == 0 || hit.matchers.allSatisfy { !$0.isOfLeaf } }
    return hit?.matchers.contains(where: \.isType) ?? false
  }
}

extension Matcher {
  /// Checks an element, without its attributes, children and text.
  fileprivate func problem(of element: XMLItem, childCount: Int) -> String? {
    switch self {
    case .type(let min, let max):
      if let min, childCount < min { return "Expected '\(element.label)' to have at least \(min) children" }
      if let max, childCount > max { return "Expected '\(element.label)' to have at most \(max) children" }
      return nil
    case .notEmpty:
      return childCount == 0 && element.text.isEmpty
        ? "Expected '\(element.label)' to have at least one child" : nil
    default: return nil
    }
  }
}

extension ValuePath {
  fileprivate var isXMLText: Bool { steps.last == .key("#text") }
}
