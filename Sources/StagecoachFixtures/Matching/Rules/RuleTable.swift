/// The rules of one part of a message, for looking them up by the path of a value.
struct RuleTable {
  /// The rule that applies to a value.
  struct Hit {
    let rule: MatchRule
    /// The number of steps that the path of the value has below the value of the rule; 0 if the rule is for the value.
    let distance: Int

    var matchers: [Matcher] { rule.matchers }
    /// Whether the rule is for an enclosing value.
    var isCascaded: Bool { distance > 0 }
  }

  private var rules: [MatchRule]

  init(_ rules: MatchRules, part: MessagePart) {
    self.rules = rules.rules.filter { $0.part == part && !$0.matchers.isEmpty }
    guard part == .header else { return }
    for index in self.rules.indices {
      if case .key(let name)? = self.rules[index].path.steps.first {
        self.rules[index].path.steps[0] = .key(name.lowercased())
      }
    }
  }

  private init(_ rules: [MatchRule]) {
    self.rules = rules
  }

  var isEmpty: Bool { rules.isEmpty }

  /// Returns the best rule for a value, if any: the one with the most exact steps, and of those the longest.
  func best(for path: ValuePath, where isUsable: (Hit) -> Bool = { _ in true }) -> Hit? {
    var best: (exact: Int, length: Int, hit: Hit)?
    for rule in rules {
      guard let (exact, distance) = Self.match(rule.path.steps, path.steps) else { continue }
      let length = rule.path.steps.count
      if let best, (best.exact, best.length) >= (exact, length) { continue }
      let hit = Hit(rule: rule, distance: distance)
      if isUsable(hit) { best = (exact, length, hit) }
    }
    return best?.hit
  }

  /// Returns a table with a further rule, which replaces rules with the same path.
  func adding(_ matchers: [Matcher], at path: ValuePath, _ last: RulePath.Step) -> RuleTable {
    let steps = path.steps.map { step -> RulePath.Step in
      switch step {
      case .key(let key): .key(key)
      case .index(let index): .index(index)
      case .element(let names, _): .key(names.first ?? "")
      }
    }
    let rule = MatchRule(.body, at: RulePath(steps + [last]), matchers: matchers)
    return RuleTable([rule] + rules)
  }

  /// Returns the rules for the values below a key, with paths that start there.
  func below(_ key: String) -> RuleTable {
    RuleTable(
      rules.compactMap { rule in
        switch rule.path.steps.first {
        case .key(let name)? where name == key: break
        case .index(let index)? where String(index) == key: break
        case .any?: break
        default: return nil
        }
        var rule = rule
        rule.path.steps.removeFirst()
        return rule
      }
    )
  }

  /// Whether a path of a rule is that of a value, and not only of one around it.
  static func isFor(_ rule: RulePath, _ path: ValuePath) -> Bool {
    match(rule.steps, path.steps)?.distance == 0
  }

  /// Matches the steps of a rule with the path of a value.
  ///
  /// - Returns: The number of exact steps, and the number of steps of the path below the value of the rule; `nil` if
  ///   the rule is for another value. The weight of Pact's rules is two to the power of the exact steps.
  private static func match(_ rule: [RulePath.Step], _ path: [ValuePath.Step]) -> (exact: Int, distance: Int)?
  {
    if path.allSatisfy({ !$0.isElement }) {
      guard rule.count <= path.count else { return nil }
      var exact = 0
      for (rule, step) in zip(rule, path) {
        guard let weight = weight(of: rule, for: step) else { return nil }
        exact += weight
      }
      return (exact, path.count - rule.count)
    }
    // The exact steps by the number of steps of the rule that are used up: a step to an element may use up two.
    var states: [Int?] = [0] + Array(repeating: nil, count: rule.count)
    var found: (exact: Int, distance: Int)? = rule.isEmpty ? (0, path.count) : nil
    for (done, step) in path.enumerated() {
      var next: [Int?] = Array(repeating: nil, count: rule.count + 1)
      var isAlive = false
      for (used, exact) in states.enumerated() {
        guard let exact, used < rule.count else { continue }
        func reach(_ count: Int, _ exact: Int) {
          next[count] = max(next[count] ?? exact, exact)
          isAlive = true
        }
        if let weight = weight(of: rule[used], for: step) { reach(used + 1, exact + weight) }
        if case .element(_, let position) = step, used + 1 < rule.count, case .key = rule[used + 1],
          let weight = indexWeight(of: rule[used], for: position),
          let name = self.weight(of: rule[used + 1], for: step)
        {
          reach(used + 2, exact + weight + name)
        }
      }
      if let exact = next[rule.count], found.map({ $0.exact <= exact }) ?? true {
        found = (exact, path.count - done - 1)
      }
      guard isAlive else { break }
      states = next
    }
    return found
  }

  /// 1 for an exact step, 0 for a wildcard, `nil` for another step.
  private static func weight(of rule: RulePath.Step, for step: ValuePath.Step) -> Int? {
    switch (rule, step) {
    case (.any, _): 0
    case (.key(let name), .key(let key)): name == key ? 1 : nil
    case (.key(let name), .index(let index)): name == String(index) ? 1 : nil
    case (.key(let name), .element(let names, let position)):
      names.contains(name) || name == String(position) ? 1 : nil
    case (_, .element(_, let position)): indexWeight(of: rule, for: position)
    case (_, .index(let index)): indexWeight(of: rule, for: index)
    case (.index(let index), .key(let key)): key == String(index) ? 1 : nil
    case (.anyIndex, .key): nil
    }
  }

  private static func indexWeight(of rule: RulePath.Step, for index: Int) -> Int? {
    switch rule {
    case .anyIndex: 0
    case .index(let other): other == index ? 1 : nil
    case .key, .any: nil
    }
  }
}
