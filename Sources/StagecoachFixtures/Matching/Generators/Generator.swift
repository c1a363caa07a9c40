/// A source of values that replace the examples of a message when it is used.
package enum Generator: Sendable, Hashable {
  /// An integer in a range, including its ends.
  case randomInteger(min: Int, max: Int)
  /// A number with this many digits, of which at least one is behind the decimal point.
  case randomDecimal(digits: Int)
  /// A text of this many hexadecimal digits.
  case randomHexadecimal(digits: Int)
  /// A text of this many letters and digits.
  case randomString(size: Int)
  /// A text that matches a regular expression.
  case regex(String)
  /// A random UUID.
  case uuid(UUIDFormat)
  /// A date, now or by an expression such as `+1 day`.
  case date(DateTimePattern?, expression: String?)
  /// A time.
  case time(DateTimePattern?, expression: String?)
  /// A date and time.
  case dateTime(DateTimePattern?, expression: String?)
  /// `true` or `false`.
  case randomBoolean
  /// A value that a handler of a provider state returned. A text with `${name}` is replaced by the values.
  case providerState(expression: String)
  /// A URL with the base URL of the mock server in front of what the first group of the expression matches.
  case mockServerURL(example: String, regex: String)

  /// The format of a UUID.
  package enum UUIDFormat: String, Sendable, Hashable {
    case simple
    case lowerCaseHyphenated = "lower-case-hyphenated"
    case upperCaseHyphenated = "upper-case-hyphenated"
    case urn = "URN"
  }

  /// The default pattern of dates with time.
  static let dateTimePattern = try? DateTimePattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ")
}

/// A generator for a value of a message.
package struct GeneratorRule: Sendable, Hashable {
  package var part: MessagePart
  package var path: RulePath
  package var generator: Generator

  package init(_ part: MessagePart, at path: RulePath = .root, _ generator: Generator) {
    self.part = part
    self.path = path
    self.generator = generator
  }
}

/// An error of a generator.
package enum GeneratorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No handler of a provider state returned the value.
  case missingValue(String)
  /// The expression of a provider state has an open brace.
  case invalidExpression(String)
  /// The date expression is malformed.
  case invalidDateExpression(String)
  /// The regular expression is malformed or uses syntax that cannot be generated.
  case unsupportedRegex(String, reason: String)
  /// The expression does not match the example of a URL.
  case mismatchedExample(String, regex: String)

  package var description: String {
    switch self {
    case .missingValue(let name): "no provider state has returned a value for \"\(name)\""
    case .invalidExpression(let text): "the expression \"\(text)\" has an open brace"
    case .invalidDateExpression(let text): "\"\(text)\" is not a date expression"
    case .unsupportedRegex(let text, let reason):
      "cannot generate a text for the regular expression '\(text)': \(reason)"
    case .mismatchedExample(let example, let regex): "the example \"\(example)\" does not match '\(regex)'"
    }
  }
}
