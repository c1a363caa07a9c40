import StagecoachCore

/// Compares bodies as text.
struct TextComparison {
  let rules: RuleTable

  func mismatches(_ expected: Bytes, _ actual: Bytes) -> [Mismatch] {
    let (wanted, received) = (String(decoding: expected), String(decoding: actual))
    let problems =
      if let hit = rules.best(for: .root) {
        hit.problems { $0.problem(expected: wanted, actual: received) }
      } else {
        expected == actual
          ? [] : ["Expected body '\(wanted)' to match '\(received)' using equality but did not match"]
      }
    return problems.map { Mismatch(.body, path: "$", expected: wanted, actual: received, message: $0) }
  }
}
