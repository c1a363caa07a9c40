import StagecoachCore

/// Looks for changes of a JSON body that are no mismatches: new members, `null`, another order, values that were never
/// seen.
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
  private(set) var changes: [Change] = []
  /// Places that were reported, with `[*]` for any index: one change of many elements is one.
  private var reported: Set<String> = []
  /// The texts at each place of the expected body, with their number.
  private var words: [String: [String: Int]] = [:]

  init(_ expected: JSONValue, _ actual: JSONValue, _ rules: MatchRules) {
    self.rules = RuleTable(rules, part: .body)
    collect(expected, "$")
    compare(expected, actual, .root, "$")
  }

  private mutating func collect(_ value: JSONValue, _ place: String) {
    switch value {
    case .string(let text): words[place, default: [:]][text, default: 0] += 1
    case .array(let elements): for element in elements { collect(element, place + "[*]") }
    case .object(let object):
      for member in object.members { collect(member.value, place.withKey(member.key)) }
    case .null, .bool, .number: break
    }
  }

  private mutating func compare(
    _ expected: JSONValue,
    _ actual: JSONValue,
    _ path: ValuePath,
    _ place: String
  ) {
    switch (expected, actual) {
    case (.object(let expected), .object(let actual)): compare(expected, actual, path, place)
    case (.array(let expected), .array(let actual)): compare(expected, actual, path, place)
    case (.null, _): break
    case (_, .null) where rules.best(for: path) != nil:
      report("Expected a value but received null", path, place, expected.description, "null", .risky)
    case (.string, .string(let text)) where isNewWord(text, place) && rules.best(for: path) != nil:
      report(
        "The recording has no value '\(text)' here",
        path,
        place,
        expected.description,
        actual.description,
        .risky
      )
    default: break
    }
  }

  private mutating func compare(
    _ expected: JSONObject,
    _ actual: JSONObject,
    _ path: ValuePath,
    _ place: String
  ) {
    let known = expected.dictionary
    let hit = rules.best(for: path)
    let hasFreeKeys = hit.map { !$0.isCascaded && $0.matchers.contains(where: \.ignoresKeys) } ?? false
    for member in actual.members {
      let (path, place) = (path.key(member.key), place.withKey(member.key))
      if let value = known[member.key] {
        compare(value, member.value, path, place)
      } else if !hasFreeKeys {
        report(
          "There is a new member '\(member.key)'",
          path,
          place,
          nil,
          member.value.description,
          .compatible
        )
      }
    }
  }

  private mutating func compare(
    _ expected: [JSONValue],
    _ actual: [JSONValue],
    _ path: ValuePath,
    _ place: String
  ) {
    if expected.count == actual.count, expected != actual, rules.best(for: path) == nil,
      Self.counts(expected) == Self.counts(actual)
    {
      let texts = (JSONValue.array(expected).description, JSONValue.array(actual).description)
      report("The elements have another order", path, place, texts.0, texts.1, .risky)
      if changes.last?.path == path.description { changes[changes.count - 1].isOrder = true }
      return
    }
    guard let first = expected.first else { return }
    for (index, element) in actual.enumerated() {
      compare(index < expected.count ? expected[index] : first, element, path.index(index), place + "[*]")
    }
  }

  private static func counts(_ values: [JSONValue]) -> [JSONValue: Int] {
    values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
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

extension String {
  fileprivate func withKey(_ key: String) -> String {
    var copy = self
    copy.appendMember(key)
    return copy
  }

  fileprivate var isPlaceholder: Bool { Placeholder(exactly: Array(utf8)) != nil }

  /// Whether it consists of letters, digits, `_`, `-` and `.`, with two letters at least.
  fileprivate var isWord: Bool {
    utf8.count <= 40 && utf8.count { $0.isLetter } >= 2
      && utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-.".utf8.contains($0) }
  }
}
