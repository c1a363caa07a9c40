import StagecoachCore

/// Compares bodies as octets.
struct BinaryComparison {
  let rules: RuleTable

  func mismatches(
    _ expected: Bytes,
    _ expectedType: MediaType?,
    _ actual: Bytes,
    _ actualType: MediaType?
  ) -> [Mismatch] {
    let problems =
      if let hit = rules.best(for: .root) {
        hit.problems { Self.problem($0, expected, actual) }
      } else {
        expected == actual
          ? []
          : [
            "Actual body [\(Self.summary(actual, actualType ?? expectedType))] is not equal to the expected body "
              + "[\(Self.summary(expected, expectedType))]"
          ]
      }
    return problems.map {
      Mismatch(.body, path: "$", expected: expected.description, actual: actual.description, message: $0)
    }
  }

  private static func problem(_ matcher: Matcher, _ expected: Bytes, _ actual: Bytes) -> String? {
    switch matcher {
    case .contentType(let type): return type.problem(of: actual)
    case .notEmpty: return actual.isEmpty ? "Expected [] (0 bytes) to not be empty" : nil
    case .equality, .values, .atLeast:
      return expected == actual
        ? nil
        : "Expected '\(prefix(actual))...' (\(actual.count) bytes) to be equal to "
          + "'\(prefix(expected))...' (\(expected.count) bytes)"
    case .type, .eachKey, .eachValue, .arrayContains: return nil
    case .statusCode, .regex, .include, .integer, .decimal, .number, .null, .boolean, .date, .time, .dateTime,
      .text:
      guard let text = String(validating: actual.array, as: UTF8.self) else {
        return "Could not convert actual bytes into a UTF-8 string"
      }
      return matcher.problem(expected: "", actual: text)
    }
  }

  private static func summary(_ bytes: Bytes, _ type: MediaType?) -> String {
    "\((type ?? .octetStream).essence), \(bytes.count) bytes, starting with \(bytes.array.prefix(32).hexadecimal)"
  }

  private static func prefix(_ bytes: Bytes) -> String { bytes.array.prefix(10).hexadecimal }
}
