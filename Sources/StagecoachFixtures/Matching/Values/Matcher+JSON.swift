import StagecoachCore

extension Matcher {
  /// Compares JSON values, without their elements and members.
  ///
  /// - Returns: The mismatch in the wording of Pact; `nil` if the actual value matches.
  func problem(expected: JSONValue, actual: JSONValue) -> String? {
    switch self {
    case .equality, .values, .atLeast:
      return expected.isEquivalent(to: actual)
        ? nil : "Expected \(actual.typed) to be equal to \(expected.typed)"
    case .type:
      return expected.hasType(of: actual)
        ? nil : "Expected \(actual.typed) to be the same type as \(expected.typed)"
    case .regex, .include, .date, .time, .dateTime: return textProblem(of: actual.plainText)
    case .null: return actual.isNull ? nil : "Expected \(actual.typed) to be a null value"
    case .integer:
      if case .number(let number) = actual, number.isInteger { return nil }
      return "Expected \(actual.typed) to be an integer"
    case .decimal:
      if case .number(let number) = actual, !number.isInteger { return nil }
      return "Expected \(actual.typed) to be a decimal number"
    case .number:
      if case .number = actual { return nil }
      return "Expected \(actual.typed) to be a number"
    case .boolean:
      switch actual {
      case .bool, .string("true"), .string("false"): return nil
      default: return "Expected \(actual.typed) to match a boolean"
      }
    case .text(let condition):
      if case .string(let text) = actual { return condition.problem(text) }
      return "Expected something that matches \(condition.noun), but got '\(actual)'"
    case .notEmpty:
      if let problem = Self.emptiness(of: actual) { return problem }
      return expected.hasType(of: actual)
        ? nil : "Type mismatch: Expected \(actual.typed) to be the same type as \(expected.typed)"
    case .contentType(let type):
      if case .string(let text) = actual { return type.problem(of: Bytes(base64: text) ?? Bytes(text)) }
      return type.problem(of: Bytes(actual.serialized()))
    case .statusCode(let range):
      guard let code = actual.intValue else { return "Expected \(actual.typed) to be a status code" }
      return range.problem(of: code)
    // A rule for the members or elements of an enclosing value.
    case .eachKey, .eachValue, .arrayContains: return nil
    }
  }

  private static func emptiness(of value: JSONValue) -> String? {
    switch value {
    case .null: "Expected non-empty but got a NULL"
    case .string(""): "Expected '' (String) to not be empty"
    case .array([]): "Expected [] (Array) to not be empty"
    case .object(let object) where object.members.isEmpty: "Expected {} (Object) to not be empty"
    default: nil
    }
  }

  /// Compares the number of elements with the limits of a type.
  func sizeProblem(_ count: Int, _ text: @autoclosure () -> String) -> String? {
    guard case .type(let min, let max) = self else { return nil }
    if let min, count < min { return "Expected \(text()) (size \(count)) to have minimum size of \(min)" }
    if let max, count > max { return "Expected \(text()) (size \(count)) to have maximum size of \(max)" }
    return nil
  }
}

extension RuleTable.Hit {
  /// Returns the problems that the matchers find, as they are combined.
  func problems(_ problem: (Matcher) -> String?) -> [String] {
    var problems: [String] = []
    for matcher in matchers {
      if let problem = problem(matcher) {
        problems.append(problem)
      } else if rule.combination == .any {
        return []
      }
    }
    return problems
  }
}
