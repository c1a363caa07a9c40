import StagecoachCore

extension Matcher {
  /// Compares texts that have no type, such as header values.
  ///
  /// - Returns: The mismatch in the wording of Pact; `nil` if the actual text matches.
  func problem(expected: String, actual: String) -> String? {
    switch self {
    case .equality, .values, .atLeast:
      return expected.utf8.elementsEqual(actual.utf8)
        ? nil : "Expected '\(actual)' to be equal to '\(expected)'"
    case .type, .eachKey, .arrayContains: return nil
    case .number, .decimal: return Self.isNumber(actual) ? nil : "Expected '\(actual)' to match a number"
    case .integer: return Self.isInteger(actual) ? nil : "Expected '\(actual)' to match an integer number"
    case .boolean:
      return actual == "true" || actual == "false" ? nil : "Expected '\(actual)' to match a boolean"
    case .null: return "Expected '\(actual)' to be a null value"
    case .statusCode(let range):
      guard let code = Int(actual) else { return "Expected '\(actual)' to be a status code" }
      return range.problem(of: code)
    case .notEmpty: return actual.isEmpty ? "Expected '' (String) to not be empty" : nil
    case .eachValue(let matchers):
      return matchers.lazy.compactMap { $0.problem(expected: expected, actual: actual) }.first
    case .contentType(let type): return type.problem(of: Bytes(actual))
    case .regex, .include, .date, .time, .dateTime, .text: return textProblem(of: actual)
    }
  }

  /// Checks a text with a matcher for texts of any origin.
  func textProblem(of actual: String) -> String? {
    switch self {
    case .regex(let pattern):
      do throws(TextPatternError) {
        return try pattern.matches(actual) ? nil : "Expected '\(actual)' to match '\(pattern)'"
      } catch {
        return "Expected '\(actual)' to match '\(pattern)' - \(error)"
      }
    case .include(let text):
      return text.isEmpty || actual.contains(text) ? nil : "Expected '\(actual)' to include '\(text)'"
    case .date(let pattern): return Self.problem(of: actual, "date", pattern ?? .date)
    case .time(let pattern): return Self.problem(of: actual, "time", pattern ?? .time)
    case .dateTime(let pattern): return Self.problem(of: actual, "timestamp", pattern ?? .dateTime)
    case .text(let condition): return condition.problem(actual)
    default: return nil
    }
  }

  private static func problem(of text: String, _ name: String, _ pattern: DateTimePattern) -> String? {
    pattern.matches(text) ? nil : "Expected '\(text)' to match a \(name) pattern of '\(pattern)'"
  }

  private static func isInteger(_ text: String) -> Bool {
    let digits =
      text.utf8.first.map { "+-".utf8.contains($0) } == true ? text.utf8.dropFirst() : text.utf8[...]
    return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// A decimal number; `Double` would also accept `nan` and hexadecimal ones.
  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) } && Double(text) != nil
  }
}

extension StatusRange {
  func problem(of code: Int) -> String? {
    contains(code) ? nil : "Expected status code \(code) to be a \(self)"
  }
}

extension MediaType {
  /// Compares the media type that bytes start like.
  func problem(of bytes: Bytes) -> String? {
    let found = ContentSniffer.mediaType(of: bytes)
    return includes(found)
      ? nil
      : "Expected binary contents to have content type '\(essence)' but detected contents was '\(found)'"
  }

  /// Whether contents of the other type are of this type: also JSON and XML with a suffix, and text of any kind.
  private func includes(_ found: MediaType) -> Bool {
    if essence == found { return true }
    switch found {
    case .json: return isJSON
    case .xml: return isXML
    case .plainText: return type == "text" || self == .form
    case .octetStream: return false
    default: return found.subtype == subtype
    }
  }
}
