import StagecoachCore

/// Compares the metadata of messages without HTTP. Entries that are not expected are ignored.
struct MetadataComparison {
  let rules: RuleTable

  func mismatches(_ expected: JSONObject, _ actual: JSONObject) -> [Mismatch] {
    let actual = JSONMembers(actual)
    let wanted = JSONMembers(expected)
    return wanted.keys.flatMap { key -> [Mismatch] in
      guard let value = wanted[key] else { return [] }
      let problems =
        if let other = actual[key] {
          self.problems(key, value, other)
        } else {
          ["Expected message metadata '\(key)' to have value '\(value.plainText)' but was missing"]
        }
      return problems.map {
        Mismatch(.metadata, path: key, expected: value.plainText, actual: actual[key]?.plainText, message: $0)
      }
    }
  }

  private func problems(_ key: String, _ expected: JSONValue, _ actual: JSONValue) -> [String] {
    if let hit = rules.best(for: .root.key(key)) {
      return hit.problems { matcher in
        // A text matcher reads numbers in texts too.
        if case .string(let wanted) = expected, case .string(let received) = actual {
          return matcher.problem(expected: wanted, actual: received)
        }
        return matcher.problem(expected: expected, actual: actual)
      }
    }
    let isType = ["contenttype", "content-type"].contains(key.lowercased())
    if isType, let wanted = expected.stringValue, let received = actual.stringValue,
      ParameterizedValue(wanted).isMet(by: ParameterizedValue(received))
    {
      return []
    }
    if expected.isEquivalent(to: actual) { return [] }
    return [
      "Expected message metadata '\(key)' to have value '\(expected.plainText)' but was '\(actual.plainText)'"
    ]
  }
}
