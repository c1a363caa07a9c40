import StagecoachCore

/// Rules for what differs between two recordings of one exchange, by the forms of the values.
enum RuleInference {
  /// The most rules for one message: where more differs, the content is another one.
  private static let limit = 50

  /// Adds rules for what differs in the contents and the queries; none where the contents have different members.
  static func add(rulesFor new: Scenario.Exchange, to old: inout Scenario.Exchange) {
    old.match.add(query(new.request.target.query ?? "", old.request.target.query ?? ""))
    old.match.add(rules(new.request.body?.bytes, old.request.body?.bytes))
    old.expect.add(rules(new.reply.body?.bytes, old.reply.body?.bytes))
  }

  /// Rules with which a recorded request would be equal to another one, if there are such.
  static func rules(for live: LiveRequest, recorded: LiveRequest) -> [Scenario.Rule] {
    path(live.path, recorded.path) + query(live.query ?? "", recorded.query ?? "")
      + rules(live.body, recorded.body)
  }

  private static func rules(_ new: Bytes?, _ old: Bytes?) -> [Scenario.Rule] {
    guard let new, let old, new != old, let a = try? JSONValue(parsing: old.array),
      let b = try? JSONValue(parsing: new.array)
    else { return [] }
    var rules: [Scenario.Rule] = []
    guard add(a, b, at: .root, to: &rules), rules.count <= limit else { return [] }
    return rules
  }

  /// - Returns: Whether both have the same members and types.
  private static func add(
    _ a: JSONValue,
    _ b: JSONValue,
    at path: RulePath,
    to rules: inout [Scenario.Rule]
  ) -> Bool {
    switch (a, b) {
    case (.object(let a), .object(let b)):
      guard a.members.map(\.key) == b.members.map(\.key) else { return false }
      return zip(a.members, b.members).allSatisfy {
        add($0.value, $1.value, at: RulePath(path.steps + [.key($0.key)]), to: &rules)
      }
    case (.array(let a), .array(let b)):
      guard a.count == b.count else { return false }
      return a.indices.allSatisfy {
        add(a[$0], b[$0], at: RulePath(path.steps + [.index($0)]), to: &rules)
      }
    default:
      guard a != b else { return true }
      guard let condition = condition(a, b) else { return false }
      rules.append(Scenario.Rule("body\(path)", condition))
      return true
    }
  }

  private static func query(_ new: some StringProtocol, _ old: some StringProtocol) -> [Scenario.Rule] {
    let (new, old) = (ComparedQuery(parsing: new).parameters, ComparedQuery(parsing: old).parameters)
    guard new.map(\.name) == old.map(\.name) else { return [] }
    return zip(old, new).compactMap { old, new in
      guard old.value != new.value, let condition = condition(.string(old.value), .string(new.value)) else {
        return nil
      }
      return Scenario.Rule("query.\(old.name)", condition)
    }
  }

  /// A pattern for paths whose segments differ in numbers, UUIDs and the like.
  private static func path(_ new: Substring, _ old: Substring) -> [Scenario.Rule] {
    guard new != old else { return [] }
    let (new, old) = (new.segments, old.segments)
    guard new.count == old.count else { return [] }
    var patterns: [String] = []
    for (new, old) in zip(new, old) {
      if new == old {
        patterns.append(old.escaped)
      } else if let pattern = pattern(String(old)), pattern == Self.pattern(String(new)) {
        patterns.append(pattern)
      } else {
        return []
      }
    }
    return [Scenario.Rule("path", ["match": "regex", "regex": .string(patterns.joined(separator: "/"))])]
  }

  /// The narrowest condition that two values of one type meet; `nil` if they have different types.
  static func condition(_ a: JSONValue, _ b: JSONValue) -> JSONValue? {
    switch (a, b) {
    case (.number(let a), .number(let b)):
      return a.int64 != nil && b.int64 != nil ? ["match": "integer"] : ["match": "number"]
    case (.bool, .bool): return ["match": "boolean"]
    case (.string(let a), .string(let b)):
      guard let pattern = pattern(a), pattern == Self.pattern(b) else { return ["match": "type"] }
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

extension StringProtocol {
  fileprivate var query: SubSequence? { firstIndex(of: "?").map { self[index(after: $0)...] } }

  fileprivate var segments: [SubSequence] { split(separator: "/", omittingEmptySubsequences: false) }

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
}
