import StagecoachCore

/// Compares JSON values under rules.
struct JSONComparison {
  let rules: RuleTable
  let isStrict: Bool
  var mismatches: [Mismatch] = []

  /// The maximum depth of a body: comparing is recursive, and has to fit a stack of 512 KiB.
  static let limits = JSONValue.Limits(depth: 100)

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - rules: The rules for the body.
  ///   - isStrict: Whether members that are not expected are mismatches.
  init(rules: RuleTable, isStrict: Bool) {
    self.rules = rules
    self.isStrict = isStrict
  }

  mutating func compare(_ expected: JSONValue, _ actual: JSONValue, at path: ValuePath = .root) {
    let hit = rules.best(for: path)
    if let hit, !hit.isCascaded, hit.matchers.allSatisfy(\.isOfLeaf),
      !(expected.isContainer && actual.isContainer)
    {
      return compareValues(expected, actual, at: path, hit)
    }
    switch (expected, actual) {
    case (.object(let expected), .object(let actual)): compareObjects(expected, actual, at: path, hit)
    case (.array(let expected), .array(let actual)): compareArrays(expected, actual, at: path, hit)
    case (.object, _), (.array, _):
      report(
        "Type mismatch: Expected \(actual.typed) to be the same type as \(expected.typed)",
        at: path,
        expected,
        actual
      )
    default: compareValues(expected, actual, at: path, hit)
    }
  }

  private mutating func compareValues(
    _ expected: JSONValue,
    _ actual: JSONValue,
    at path: ValuePath,
    _ hit: RuleTable.Hit?
  ) {
    let problems =
      hit?.problems { $0.problem(expected: expected, actual: actual) }
      ?? [Matcher.equality.problem(expected: expected, actual: actual)].compactMap { $0 }
    for problem in problems { report(problem, at: path, expected, actual) }
  }

  mutating func report(_ text: String, at path: ValuePath, _ expected: JSONValue?, _ actual: JSONValue?) {
    mismatches.append(
      Mismatch(
        .body,
        path: path.description,
        expected: expected?.description,
        actual: actual?.description,
        message: text
      )
    )
  }

  /// Runs a comparison on its own.
  func trial(_ rules: RuleTable, _ body: (inout JSONComparison) -> Void) -> [Mismatch] {
    var comparison = JSONComparison(rules: rules, isStrict: isStrict)
    body(&comparison)
    return comparison.mismatches
  }
}

extension JSONValue {
  fileprivate var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
