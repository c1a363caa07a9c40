/// A regular expression, for which a match takes time in proportion to the text.
///
/// It is read once, and matched by a machine that looks at each character once for each of its states: no text and no
/// expression make it go back. The syntax is what Java, JavaScript, Ruby, Rust and Swift have in common, on Unicode
/// scalars: classes, sets and their operators, groups, quantifiers, anchors, word boundaries, the options `imsx`, and
/// `\p{..}` of general categories and POSIX classes. What such a machine cannot match is refused: look-around, back
/// references, atomic groups and possessive quantifiers.
///
/// A pattern matches the whole text, unless it is created with ``Extent/anywhere``, as Ruby does. `\w`, `\d`, `\s` and
/// `(?i)` are those of Unicode; `.` is anything but a line break, and `$` without `(?m)` is the end of the text.
package struct TextPattern: Sendable {
  /// The part of a text that a pattern has to match.
  package enum Extent: Sendable, Hashable {
    /// The whole text.
    case whole
    /// Any part of the text.
    case anywhere
  }

  /// The pattern as written.
  package let text: String
  /// The part of a text that the pattern has to match.
  package let extent: Extent
  /// What was read.
  let expression: PatternExpression

  /// Reads a pattern.
  ///
  /// - Throws: ``TextPatternError`` if the pattern is malformed, too long, too deep or too large, or has what is not
  ///   supported.
  package init(_ text: String, extent: Extent = .whole) throws(TextPatternError) {
    self.text = text
    self.extent = extent
    var parser = try PatternParser(text)
    expression = try parser.expression()
  }

  /// Returns whether a text matches.
  ///
  /// - Throws: ``TextPatternError/tooManySteps(pattern:limit:)``.
  package func matches(_ text: String) throws(TextPatternError) -> Bool {
    var machine = PatternMachine(self)
    return try machine.match(text) != nil
  }

  /// Returns what the first group matched in a text that matches; `nil` if the text does not match, or the group took no
  /// part in it.
  ///
  /// - Throws: ``TextPatternError/tooManySteps(pattern:limit:)``.
  func firstGroup(in text: String) throws(TextPatternError) -> String? {
    var machine = PatternMachine(self)
    guard let range = try machine.match(text)?.group else { return nil }
    return String(text.unicodeScalars[range])
  }
}

extension TextPattern: Hashable, CustomStringConvertible {
  /// Returns whether both patterns are written alike.
  package static func == (a: TextPattern, b: TextPattern) -> Bool {
    a.text == b.text && a.extent == b.extent
  }

  /// Hashes what equality compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(extent)
  }

  /// The pattern as written.
  package var description: String { text }
}

/// An error of a regular expression.
package enum TextPatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The pattern is malformed.
  case malformed(pattern: String, reason: String)
  /// The pattern has what cannot be matched in time that is in proportion to the text, or is not known here.
  case unsupported(pattern: String, what: String)
  /// The pattern is longer than the limit, in bytes.
  case tooLong(limit: Int)
  /// The groups of the pattern are nested deeper than the limit.
  case tooDeep(limit: Int)
  /// With its repetitions written out, the pattern has more characters and branches than the limit.
  case tooLarge(pattern: String, limit: Int)
  /// A match would take more steps than the limit.
  case tooManySteps(pattern: String, limit: Int)

  /// A description of the error.
  package var description: String {
    switch self {
    case .malformed(let pattern, let reason): "'\(pattern)' is not a valid regular expression - \(reason)"
    case .unsupported(let pattern, let what):
      "the regular expression '\(pattern)' is not supported - it has \(what); write it without"
    case .tooLong(let limit): "the regular expression is longer than \(limit) bytes"
    case .tooDeep(let limit): "the groups of the regular expression are nested deeper than \(limit) levels"
    case .tooLarge(let pattern, let limit):
      "the regular expression '\(pattern)' is too large - its repetitions, written out, have more than \(limit) "
        + "characters and branches"
    case .tooManySteps(let pattern, let limit):
      "the regular expression '\(pattern)' is too slow for the text - it takes more than \(limit) steps"
    }
  }
}
