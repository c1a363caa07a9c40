import StagecoachCore

/// Compares the parameters of queries and forms.
///
/// The order of different parameters is ignored; that of the values of one parameter is not. A rule `values` for all of a
/// query, or `atLeast`, allows parameters with other names.
struct ParameterComparison {
  private let kind: Mismatch.Kind
  private let rules: RuleTable
  private let isStrict: Bool

  /// Creates a comparison for a query or, with `body`, a form.
  init(_ kind: Mismatch.Kind, rules: RuleTable, isStrict: Bool) {
    self.kind = kind
    self.rules = rules
    self.isStrict = isStrict
  }

  private var isOpen: Bool {
    guard let matchers = rules.best(for: .root)?.matchers else { return false }
    return matchers.contains(.atLeast) || kind == .query && matchers.contains(.values)
  }

  private var noun: String { kind == .query ? "query parameter" : "form post parameter" }

  func mismatches(_ expected: [ComparedQuery.Parameter], _ actual: [ComparedQuery.Parameter]) -> [Mismatch] {
    let (wanted, received) = (ParameterGroups(expected), ParameterGroups(actual))
    var mismatches: [Mismatch] = []
    for name in wanted.names {
      let (values, others) = (wanted[name], received[name])
      if others.isEmpty {
        mismatches.append(mismatch(name, values, nil, "Expected \(noun) '\(name)' but was missing"))
      } else {
        mismatches += problems(name, values, others).map { mismatch(name, values, others, $0) }
      }
    }
    guard isStrict, !isOpen else { return mismatches }
    for name in received.names where wanted[name].isEmpty {
      mismatches.append(mismatch(name, nil, received[name], "Unexpected \(noun) '\(name)' received"))
    }
    return mismatches
  }

  /// The rule for a value. One that allows other names says nothing of it.
  private func hit(_ path: ValuePath) -> RuleTable.Hit? {
    rules.best(for: path) { hit in
      !hit.isCascaded || !hit.matchers.allSatisfy { [.values, .atLeast].contains($0) }
    }
  }

  private func problems(_ name: String, _ expected: [String], _ actual: [String]) -> [String] {
    let path = ValuePath.root.key(name)
    let hit = hit(path)
    let example = expected.first ?? ""
    var problems: [String] = []
    if let hit, !hit.isCascaded {
      problems += hit.matchers.compactMap {
        $0.sizeProblem(actual.count, "[" + actual.joined(separator: ", ") + "]")
      }
    } else if hit == nil, expected.count != actual.count {
      problems.append(
        "Expected \(noun) '\(name)' with \(expected.count) value(s) but received \(actual.count) value(s)"
      )
    }
    for (index, value) in actual.enumerated() {
      if let hit = self.hit(path.index(index)) {
        let example = index < expected.count ? expected[index] : example
        problems += hit.problems { $0.problem(expected: example, actual: value) }
      } else if index < expected.count, expected[index] != value {
        problems.append("Expected \(noun) '\(name)' with value '\(expected[index])' but was '\(value)'")
      }
    }
    if hit == nil {
      problems += expected.dropFirst(actual.count).map {
        "Expected \(noun) '\(name)' value '\($0)' but was missing"
      }
    }
    return problems
  }

  private func mismatch(_ name: String, _ expected: [String]?, _ actual: [String]?, _ text: String)
    -> Mismatch
  {
    Mismatch(
      kind,
      path: kind == .query ? name : ValuePath.root.key(name).description,
      expected: expected?.joined(separator: ", "),
      actual: actual?.joined(separator: ", "),
      message: text
    )
  }
}

/// The values of parameters by name.
private struct ParameterGroups {
  private var values: [String: [String]] = [:]
  /// The names in the order of their first values.
  private(set) var names: [String] = []

  init(_ parameters: [ComparedQuery.Parameter]) {
    for parameter in parameters {
      if values[parameter.name] == nil { names.append(parameter.name) }
      values[parameter.name, default: []].append(parameter.value)
    }
  }

  subscript(name: String) -> [String] { values[name] ?? [] }
}
