import StagecoachCore

/// Rules for what differs between two recordings of one exchange, by the forms of the values.
enum RuleInference {
  /// The most rules for one message: where more differs, the content is another one.
  private static let limit = 50

  /// Adds rules for what differs in the contents and the queries; none where the contents have different members.
  static func add(rulesFor new: Scenario.Exchange, to old: inout Scenario.Exchange) {
    old.match.add(query(TextTree(target: new.request.target), TextTree(target: old.request.target)))
    old.match.add(rules(new.request.body, old.request.body))
    old.expect.add(rules(new.reply.body, old.reply.body))
  }

  /// Rules with which a recorded request would be equal to another one, if there are such.
  static func rules(for live: LiveRequest, recorded: LiveRequest) -> [Scenario.Rule] {
    let (new, old) = (TextTree(target: live.target), TextTree(target: recorded.target))
    let contents = [live, recorded].map { TextTree(content: $0.body.array, $0.fields.contentType) }
    return path(new, old) + query(new, old)
      + (live.hasFields && recorded.hasFields ? rules(contents[0], contents[1]) ?? [] : [])
  }

  // MARK: Contents

  /// Rules with which a content is equal to another one; none if there are no such.
  private static func rules(_ new: Scenario.Body?, _ old: Scenario.Body?) -> [Scenario.Rule] {
    guard let new, let old, new.bytes != old.bytes, new.hasFields, old.hasFields,
      let rules = rules(new.tree, old.tree), !rules.isEmpty
    else { return [] }
    let conditions = rules.compactMap { try? MatchRule($0, of: "", in: "expect") }
    let comparison = MessageComparison(rules: MatchRules(conditions))
    return comparison.mismatches(old.compared, new.compared).isEmpty ? rules : []
  }

  /// - Returns: `nil` if the texts have different leaves, or leaves of different types.
  private static func rules(
    _ new: TextTree,
    _ old: TextTree,
    below steps: [RulePath.Step] = []
  ) -> [Scenario.Rule]? {
    guard let differences = old.differences(from: new), differences.count <= limit else { return nil }
    var rules: [Scenario.Rule] = []
    for index in differences {
      guard let place = LeafPlace(old, index), let leaf = new.nodes[index].leaf else { return nil }
      let path = steps + place.ruleSteps
      if place.isPart, let inner = leaf.inner?.tree, let older = place.leaf.inner?.tree {
        guard let found = Self.rules(inner, older, below: path) else { return nil }
        rules += found
      } else {
        guard let condition = condition(place.leaf, leaf) else { return nil }
        rules.unite(Scenario.Rule("body\(path.place(isMarkup: steps.isEmpty && old.hasElements))", condition))
      }
    }
    return rules.count <= limit ? rules : nil
  }

  // MARK: Targets

  private static func query(_ new: TextTree, _ old: TextTree) -> [Scenario.Rule] {
    let (new, old) = (new.leaves(in: "query"), old.leaves(in: "query"))
    guard new.map(\.node.step) == old.map(\.node.step) else { return [] }
    var rules: [Scenario.Rule] = []
    for (old, new) in zip(old, new) where old.leaf.value != new.leaf.value {
      guard case .parameter(let name, _) = old.node.step, !name.isEmpty,
        let condition = condition(old.leaf, new.leaf)
      else { continue }
      rules.unite(Scenario.Rule("query.\(name)", condition))
    }
    return rules
  }

  /// A pattern for paths whose segments differ in numbers, UUIDs and the like.
  private static func path(_ new: TextTree, _ old: TextTree) -> [Scenario.Rule] {
    let (new, old) = (new.leaves(in: "path"), old.leaves(in: "path"))
    guard new.count == old.count, zip(new, old).contains(where: { $0.written != $1.written }) else {
      return []
    }
    var patterns: [String] = []
    for (new, old) in zip(new, old) {
      if new.written == old.written {
        patterns.append("/" + old.written.escaped)
      } else if let pattern = pattern(old.written), pattern == Self.pattern(new.written) {
        patterns.append("/" + pattern)
      } else {
        return []
      }
    }
    return [Scenario.Rule("path", ["match": "regex", "regex": .string(patterns.joined())])]
  }

  // MARK: Conditions

  /// The narrowest condition that two values of one type meet; `nil` if they have different types.
  private static func condition(_ a: Leaf, _ b: Leaf) -> JSONValue? {
    let (first, second) = (String(decoding: a.value, as: UTF8.self), String(decoding: b.value, as: UTF8.self))
    switch (a.type, b.type) {
    case (.number, .number):
      let areIntegers = JSONNumber(first)?.int64 != nil && JSONNumber(second)?.int64 != nil
      return areIntegers ? ["match": "integer"] : ["match": "number"]
    case (.boolean, .boolean): return ["match": "boolean"]
    case (.text, .text):
      guard let pattern = pattern(first), pattern == Self.pattern(second) else { return ["match": "type"] }
      return ["match": "regex", "regex": .string(pattern)]
    default: return nil
    }
  }

  /// The pattern of a text by its form.
  private static func pattern(_ text: String) -> String? {
    switch VolatileText.form(of: text) {
    case .uuid: return "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
    case .instant: return #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?"#
    case .httpDate: return #"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT"#
    case nil: break
    }
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return #"\d+"# }
    if text.utf8.count >= 16,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    {
      return "[0-9a-f]{16,}"
    }
    return nil
  }
}

extension TextTree {
  fileprivate init(target: String) { self.init(target: Array(target.utf8)) }
}

extension LeafPlace {
  /// The octets of the leaf in the text.
  fileprivate var written: String { String(decoding: tree.text[leaf.range], as: UTF8.self) }

  /// Whether this is the content of a part of multipart content.
  fileprivate var isPart: Bool {
    guard case .characters = node.step, node.parent >= 0 else { return false }
    if case .element = tree.nodes[node.parent].step { return false }
    return true
  }

  /// The way to the leaf as rules write it. What they call a text is that of an element.
  fileprivate var ruleSteps: [RulePath.Step] {
    steps.compactMap { step in
      switch step {
      case .member(let name), .parameter(let name, _), .element(let name, _): .key(name)
      case .index(let index): .index(index)
      case .attribute(let name): .key("@\(name)")
      case .characters: tree.hasElements ? .key("#text") : nil
      }
    }
  }
}

extension TextTree {
  fileprivate var hasElements: Bool { if case .element = nodes.first?.step { true } else { false } }
}

extension [RulePath.Step] {
  /// The path in a body: names of elements after slashes, or of members.
  fileprivate func place(isMarkup: Bool) -> String {
    guard isMarkup else { return RulePath(self).description }
    return reduce(into: "") { path, step in
      if case .key(let name) = step { path += name == "#text" ? "/text()" : "/\(name)" }
    }
  }
}

extension Scenario.Body {
  /// The content as a tree.
  fileprivate var tree: TextTree { TextTree(content: bytes.array, type.flatMap { MediaType($0) }) }

  /// Whether rules can name what is in the content.
  fileprivate var hasFields: Bool { omission == nil && bytes.hasFields(type.flatMap { MediaType($0) }) }
}

extension LiveRequest {
  fileprivate var target: String { "\(path)\(query.map { "?\($0)" } ?? "")" }

  fileprivate var hasFields: Bool { body.hasFields(fields.contentType) }
}

extension Bytes {
  fileprivate func hasFields(_ type: MediaType?) -> Bool {
    switch ContentFormat(type, array) {
    case .json, .xml, .form, .multipart: true
    case .jsonSequence, .html, .events, .code, .text, .binary: false
    }
  }
}

extension String {
  /// The text as a pattern that it alone matches.
  fileprivate var escaped: String {
    reduce(into: "") { text, character in
      if #".\+*?()[]{}|^$"#.contains(character) { text.append("\\") }
      text.append(character)
    }
  }
}

extension [Scenario.Rule] {
  /// Adds rules for places that have none.
  fileprivate mutating func add(_ rules: [Scenario.Rule]) {
    for rule in rules where !contains(where: { $0.place == rule.place }) { append(rule) }
  }

  /// Adds a rule. Where values in one place meet different conditions, any text will do.
  fileprivate mutating func unite(_ rule: Scenario.Rule) {
    guard let index = firstIndex(where: { $0.place == rule.place }) else { return append(rule) }
    if self[index].condition != rule.condition { self[index].condition = ["match": "type"] }
  }
}
