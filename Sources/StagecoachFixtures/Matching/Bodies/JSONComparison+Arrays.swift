import StagecoachCore

extension JSONComparison {
  mutating func compareArrays(
    _ expected: [JSONValue],
    _ actual: [JSONValue],
    at path: ValuePath,
    _ hit: RuleTable.Hit?
  ) {
    let isOpen = hit?.matchers.contains(.atLeast) == true
    if let hit, hit.matchers != [.equality], !isOpen {
      return compareArrays(expected, actual, at: path, under: hit)
    }
    // A type for each element makes the number of elements free, as a type for the array does.
    if let hit = rules.best(for: path.index(0)), !hit.isCascaded, hit.matchers.contains(where: \.isType),
      !expected.isEmpty
    {
      return compareElements(expected, actual, at: path)
    }
    if expected.isEmpty, !actual.isEmpty, !isOpen {
      return report(
        "Expected an empty List but received \(JSONValue.array(actual))",
        at: path,
        .array([]),
        .array(actual)
      )
    }
    for (index, element) in expected.enumerated() {
      if index < actual.count {
        compare(element, actual[index], at: path.index(index))
      } else {
        report("Expected \(element.plainText) but was missing", at: path, .array(expected), .array(actual))
      }
    }
    if expected.count != actual.count, !isOpen {
      report(
        "Expected a List with \(expected.count) elements but received \(actual.count) elements",
        at: path,
        .array(expected),
        .array(actual)
      )
    }
  }

  private mutating func compareArrays(
    _ expected: [JSONValue],
    _ actual: [JSONValue],
    at path: ValuePath,
    under hit: RuleTable.Hit
  ) {
    var areElementsCompared = false
    if !hit.isCascaded {
      var found: [Mismatch] = []
      for matcher in hit.matchers {
        areElementsCompared = areElementsCompared || matcher.comparesElements
        let problems = trial(rules) { $0.check(matcher, expected, actual, at: path) }
        if problems.isEmpty, hit.rule.combination == .any {
          found = []
          break
        }
        found += problems
      }
      mismatches += found
    }
    if !areElementsCompared { compareElements(expected, actual, at: path) }
  }

  /// Checks an array with a matcher, without comparing its elements unless the matcher does that.
  private mutating func check(
    _ matcher: Matcher,
    _ expected: [JSONValue],
    _ actual: [JSONValue],
    at path: ValuePath
  ) {
    switch matcher {
    case .arrayContains(let variants): checkVariants(variants, of: expected, in: actual, at: path)
    case .eachValue(let matchers):
      let each = rules.adding(matchers, at: path, .anyIndex)
      mismatches += trial(each) { $0.compareElements(expected, actual, at: path) }
    case .type:
      let text = "[" + actual.map(\.description).joined(separator: ", ") + "]"
      guard let problem = matcher.sizeProblem(actual.count, text) else { return }
      report(problem, at: path, .array(expected), .array(actual))
    case .notEmpty, .null:
      guard let problem = matcher.problem(expected: .array(expected), actual: .array(actual)) else { return }
      report(problem, at: path, .array(expected), .array(actual))
    default: break
    }
  }

  /// Compares each actual element with the example at its position, or with the first example.
  private mutating func compareElements(_ expected: [JSONValue], _ actual: [JSONValue], at path: ValuePath) {
    guard let first = expected.first else { return }
    for (index, element) in actual.enumerated() {
      compare(index < expected.count ? expected[index] : first, element, at: path.index(index))
    }
  }

  private mutating func checkVariants(
    _ variants: [ArrayVariant],
    of expected: [JSONValue],
    in actual: [JSONValue],
    at path: ValuePath
  ) {
    let variants = variants.isEmpty ? expected.indices.map { ArrayVariant(index: $0) } : variants
    for variant in variants {
      guard expected.indices.contains(variant.index) else {
        report(
          "ArrayContains: variant \(variant.index) is missing from the expected list, which has "
            + "\(expected.count) items",
          at: path,
          .array(expected),
          .array(actual)
        )
        continue
      }
      let example = expected[variant.index]
      let table = RuleTable(variant.rules, part: .body)
      if !actual.contains(where: { element in trial(table) { $0.compare(example, element) }.isEmpty }) {
        // As Pact writes it.
        let text = String(decoding: example.serialized(.init(sortsKeys: true)), as: UTF8.self)
        report(
          "Variant at index \(variant.index) (\(text)) was not found in the actual list",
          at: path,
          example,
          .array(actual)
        )
      }
    }
  }
}

extension Matcher {
  /// Whether the matcher itself compares the elements of an array.
  fileprivate var comparesElements: Bool {
    switch self {
    case .arrayContains, .eachValue: true
    default: false
    }
  }
}
