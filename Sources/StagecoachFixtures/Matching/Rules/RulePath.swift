/// A path to values inside of a part of a message, in the notation of Pact: `$.items[*].name`, `$['x-test'][0]`.
///
/// A rule applies to the values at its path and to everything below them.
package struct RulePath: Sendable, Hashable {
  /// A step of a path.
  package enum Step: Sendable, Hashable {
    /// The member with a key, or the child element, attribute (`@name`) or text (`#text`) of an element.
    case key(String)
    /// The element at an index.
    case index(Int)
    /// Any member or element: `.*`.
    case any
    /// Any element: `[*]`.
    case anyIndex
  }

  /// The steps after the root.
  package var steps: [Step]

  /// Creates a path from steps.
  package init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// The path to the root, `$`.
  package static let root = RulePath()
}

extension RulePath {
  /// The maximum number of steps.
  static let greatestLength = 256

  /// Parses a path.
  ///
  /// The root `$` may be omitted. A key follows a dot, or is quoted in brackets, with `\` in front of a quote or
  /// backslash.
  ///
  /// - Throws: ``RulePathError`` if the text is malformed, or the path has more than 256 steps.
  package init(_ text: some StringProtocol) throws(RulePathError) {
    var reader = RulePathReader(text)
    steps = try reader.steps()
  }
}

extension RulePath: CustomStringConvertible {
  /// The path in the notation of Pact.
  package var description: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .key(let key): text.appendKey(key)
      case .index(let index): text += "[\(index)]"
      case .any: text += ".*"
      case .anyIndex: text += "[*]"
      }
    }
  }
}

/// An error of a path.
package struct RulePathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text of the path.
  package var text: String
  /// The offset of the error in Unicode scalars.
  package var offset: Int
  /// The expected syntax.
  package var reason: String

  /// A description with the position.
  package var description: String { "invalid path \"\(text)\" at offset \(offset): \(reason)" }
}

/// Reads a path from left to right.
private struct RulePathReader {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: some StringProtocol) {
    self.text = String(text)
    scalars = Array(text.unicodeScalars)
  }

  mutating func steps() throws(RulePathError) -> [RulePath.Step] {
    var steps: [RulePath.Step] = []
    if !take("$"), let first = scalars.first, first != "[", first != "." { steps.append(try key()) }
    while position < scalars.count {
      guard steps.count < RulePath.greatestLength else {
        throw failure("a path has at most \(RulePath.greatestLength) steps")
      }
      if take(".") {
        steps.append(try key())
      } else if take("[") {
        steps.append(try bracket())
      } else {
        throw failure("expected '.' or '['")
      }
    }
    return steps
  }

  private mutating func key() throws(RulePathError) -> RulePath.Step {
    let start = position
    while position < scalars.count, scalars[position] != ".", scalars[position] != "[" { position += 1 }
    guard position > start else { throw failure("expected a key") }
    let key = string(scalars[start..<position])
    return key == "*" ? .any : .key(key)
  }

  private mutating func bracket() throws(RulePathError) -> RulePath.Step {
    let step: RulePath.Step
    if take("*") {
      step = .anyIndex
    } else if let quote = scalars[position...].first, quote == "'" || quote == "\"" {
      position += 1
      step = .key(try quoted(until: quote))
    } else {
      let start = position
      while position < scalars.count, ("0"..."9").contains(scalars[position]) { position += 1 }
      guard let index = Int(string(scalars[start..<position])) else {
        throw failure("expected an index, '*' or a quoted key")
      }
      step = .index(index)
    }
    guard take("]") else { throw failure("expected ']'") }
    return step
  }

  private mutating func quoted(until quote: Unicode.Scalar) throws(RulePathError) -> String {
    var key = String.UnicodeScalarView()
    while position < scalars.count {
      let scalar = scalars[position]
      position += 1
      if scalar == quote { return String(key) }
      if scalar == "\\", position < scalars.count {
        key.append(scalars[position])
        position += 1
      } else {
        key.append(scalar)
      }
    }
    throw failure("the quote is not closed")
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard position < scalars.count, scalars[position] == scalar else { return false }
    position += 1
    return true
  }

  private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private func failure(_ reason: String) -> RulePathError {
    RulePathError(text: text, offset: position, reason: reason)
  }
}
