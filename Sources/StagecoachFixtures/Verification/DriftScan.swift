import StagecoachCore

/// Looks for changes of JSON, XML or a form that are no mismatches: new members, `null`, another order, values that were
/// never seen.
struct DriftScan {
  /// A change, and its path.
  struct Change {
    let path: String
    let message: String
    let expected: String?
    let actual: String?
    let drift: VerificationReport.Drift
    /// Whether the elements of an array have another order, which is a mismatch of its elements.
    var isOrder = false
  }

  private static let limit = 200

  private let rules: RuleTable
  private let expected: TextTree
  private let actual: TextTree
  private(set) var changes: [Change] = []
  /// Places that were reported, with `[*]` for any index: one change of many elements is one.
  private var reported: Set<String> = []
  /// The texts at each place of the expected body, with their number.
  private var words: [String: [String: Int]] = [:]

  init(_ expected: TextTree, _ actual: TextTree, _ rules: MatchRules) {
    self.rules = RuleTable(rules, part: .body)
    (self.expected, self.actual) = (expected, actual)
    collect()
    compare(nil, nil, .root, "$")
  }

  private mutating func collect() {
    var places: [String] = []
    for node in expected.nodes {
      let place = (node.parent < 0 ? "$" : places[node.parent]).with(node.step)
      places.append(place)
      if let leaf = node.leaf, leaf.type == .text {
        words[place, default: [:]][leaf.value.string, default: 0] += 1
      }
    }
  }

  /// Compares what is in two containers. This is recursive, and has to fit a small stack.
  private mutating func compare(_ wanted: Int?, _ received: Int?, _ path: ValuePath, _ place: String) {
    guard path.steps.count < XMLComparison.greatestDepth else { return }
    let (wantedChildren, receivedChildren) = (expected.children(of: wanted), actual.children(of: received))
    guard let first = wantedChildren.first, !receivedChildren.isEmpty else {
      return reportNew(receivedChildren, path, place)
    }
    let isArray = expected.nodes[first].step.isIndex
    guard isArray == actual.nodes[receivedChildren[0]].step.isIndex else { return }
    if isArray, hasOtherOrder(wantedChildren, receivedChildren), rules.best(for: path) == nil {
      let texts = (expected.shown(wanted), actual.shown(received))
      report("The elements have another order", path, place, texts.0, texts.1, .risky)
      if changes.last?.path == path.description { changes[changes.count - 1].isOrder = true }
      return
    }
    let known = Dictionary(wantedChildren.map { (expected.nodes[$0].step, $0) }) { first, _ in first }
    var new: [Int] = []
    var elements = 0
    for index in receivedChildren {
      let step = actual.nodes[index].step
      // Of more elements than are expected, each is compared with the first one.
      guard let counterpart = known[step] ?? step.first.flatMap({ known[$0] }) else {
        new.append(index)
        continue
      }
      compare(
        counterpart,
        index,
        path.appending(actual.ruleStep(to: index, position: elements)),
        place.with(step)
      )
      if case .element = step { elements += 1 }
    }
    reportNew(new, path, place)
  }

  /// Compares two nodes.
  private mutating func compare(_ wanted: Int, _ received: Int, _ path: ValuePath, _ place: String) {
    guard let other = actual.nodes[received].leaf else {
      return expected.nodes[wanted].leaf == nil ? compare(Optional(wanted), received, path, place) : ()
    }
    let type = expected.nodes[wanted].leaf?.type
    if type == .null { return }
    if other.type == .null {
      guard rules.best(for: path) != nil else { return }
      report("Expected a value but received null", path, place, expected.shown(wanted), "null", .risky)
    } else if type == .text, other.type == .text, isNewWord(other.value.string, place),
      rules.best(for: path) != nil
    {
      let message = "The recording has no value '\(other.value.string)' here"
      report(message, path, place, expected.shown(wanted), actual.shown(received), .risky)
    }
  }

  /// Reports members, attributes, elements and parameters that are not expected.
  private mutating func reportNew(_ children: [Int], _ path: ValuePath, _ place: String) {
    let hit = rules.best(for: path)
    let hasFreeKeys = hit.map { !$0.isCascaded && $0.matchers.contains(where: \.ignoresKeys) } ?? false
    guard !hasFreeKeys else { return }
    for index in children {
      let step = actual.nodes[index].step
      guard let noun = step.noun else { continue }
      report(
        "There is a new \(noun)",
        path.appending(actual.ruleStep(to: index, position: 0)),
        place.with(step),
        nil,
        actual.shown(index),
        .compatible
      )
    }
  }

  private func hasOtherOrder(_ wanted: [Int], _ received: [Int]) -> Bool {
    guard wanted.count == received.count else { return false }
    let (before, now) = (wanted.map(expected.digest), received.map(actual.digest))
    func counts(_ values: [[String]]) -> [[String]: Int] {
      values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    return before != now && counts(before) == counts(now)
  }

  /// Whether a text is not among those of a place that look like names of cases: capitals as in `IN_PROGRESS`, or a
  /// word that occurs more than once.
  private func isNewWord(_ text: String, _ place: String) -> Bool {
    guard let known = words[place], known[text] == nil, text.isWord, !text.isPlaceholder,
      known.keys.allSatisfy(\.isWord)
    else { return false }
    let areCapitals = (Array(known.keys) + [text]).allSatisfy { $0.uppercased() == $0 }
    return areCapitals || known.values.contains { $0 > 1 }
  }

  private mutating func report(
    _ message: String,
    _ path: ValuePath,
    _ place: String,
    _ expected: String?,
    _ actual: String?,
    _ drift: VerificationReport.Drift
  ) {
    guard changes.count < Self.limit, reported.insert(place).inserted else { return }
    changes.append(
      Change(path: path.description, message: message, expected: expected, actual: actual, drift: drift)
    )
  }
}

extension TextTree.Step {
  fileprivate var isIndex: Bool { if case .index = self { true } else { false } }

  /// The step to the first of those with the same name; `nil` if there can be only one.
  fileprivate var first: TextTree.Step? {
    switch self {
    case .index: .index(0)
    case .parameter(let name, _): .parameter(name, 0)
    case .element(let name, _): .element(name, 0)
    case .characters: .characters(0)
    case .member, .attribute: nil
    }
  }

  /// What it leads to, where a reader may leave out what it does not know.
  fileprivate var noun: String? {
    switch self {
    case .member(let name): "member '\(name)'"
    case .parameter(let name, _): "parameter '\(name)'"
    case .element(let name, _): "element '\(name)'"
    case .attribute(let name): "attribute '\(name)'"
    case .index, .characters: nil
    }
  }
}

extension TextTree {
  /// The text of a node for a report; that of the whole for the root.
  fileprivate func shown(_ index: Int?) -> String {
    guard let index else { return text.string }
    let shown = Array(text[nodes[index].range]).string
    return nodes[index].leaf?.coding == .json ? "\"\(shown)\"" : shown
  }

  /// What a node contains, without white space and the like.
  fileprivate func digest(of index: Int) -> [String] {
    (index..<nodes[index].end).map { place in
      let node = nodes[place]
      let name = place == index ? "" : "\(node.step)"
      return "\(name) \(node.end - place) " + (node.leaf.map { "\($0.type) \($0.value.string)" } ?? "")
    }
  }
}

extension [UInt8] {
  fileprivate var string: String { String(decoding: self, as: UTF8.self) }
}

extension String {
  /// The place of what a step leads to.
  fileprivate func with(_ step: TextTree.Step) -> String {
    var copy = self
    switch step {
    case .index: copy += "[*]"
    case .member(let name), .parameter(let name, _), .element(let name, _): copy.appendMember(name)
    case .attribute(let name): copy.appendMember("@\(name)")
    case .characters: copy.appendMember("#text")
    }
    return copy
  }

  fileprivate var isPlaceholder: Bool { Placeholder(exactly: Array(utf8)) != nil }

  /// Whether it consists of letters, digits, `_`, `-` and `.`, with two letters at least.
  fileprivate var isWord: Bool {
    utf8.count <= 40 && utf8.count { $0.isLetter } >= 2
      && utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-.".utf8.contains($0) }
  }
}
