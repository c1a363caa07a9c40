import Synchronization

/// A regular expression that is compiled once.
///
/// The syntax is that of Swift's `Regex`, which covers what Pact files of other languages use. A pattern matches the
/// whole text, unless it is created with ``Extent/anywhere``, as Ruby does.
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
  private let regex: CompiledRegex

  /// Compiles a pattern.
  ///
  /// - Throws: ``TextPatternError`` if the pattern is malformed, too long or too deep.
  package init(_ text: String, extent: Extent = .whole) throws(TextPatternError) {
    self.text = text
    self.extent = extent
    regex = try CompiledRegex(text)
  }

  /// Returns whether a text matches.
  package func matches(_ text: String) -> Bool {
    regex.matches(text, extent: extent)
  }

  /// Returns the match in a text and its groups; `nil` if it does not match.
  func groups(in text: String) -> [String?]? {
    regex.groups(in: text, extent: extent)
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
  /// The pattern is malformed, or uses syntax that Swift's `Regex` does not support.
  case malformed(pattern: String, reason: String)
  /// The pattern is longer than the limit, in bytes.
  case tooLong(limit: Int)
  /// The groups of the pattern are nested deeper than the limit.
  case tooDeep(limit: Int)

  /// A description of the error.
  package var description: String {
    switch self {
    case .malformed(let pattern, let reason): "'\(pattern)' is not a valid regular expression - \(reason)"
    case .tooLong(let limit): "the regular expression is longer than \(limit) bytes"
    case .tooDeep(let limit): "the groups of the regular expression are nested deeper than \(limit) levels"
    }
  }
}

/// A compiled regular expression. A `Regex` is not `Sendable`, so tasks use it one after the other.
private final class CompiledRegex: Sendable {
  // The parser of `Regex` is recursive.
  private static let greatestLength = 16 * 1024
  private static let greatestDepth = 100

  private let regex: Mutex<Regex<AnyRegexOutput>>

  init(_ text: String) throws(TextPatternError) {
    guard text.utf8.count <= Self.greatestLength else { throw .tooLong(limit: Self.greatestLength) }
    guard Self.depth(of: text) <= Self.greatestDepth else { throw .tooDeep(limit: Self.greatestDepth) }
    do {
      regex = Mutex(try Regex(text).matchingSemantics(.unicodeScalar))
    } catch {
      throw .malformed(pattern: text, reason: "\(error)")
    }
  }

  func matches(_ text: String, extent: TextPattern.Extent) -> Bool {
    groups(in: text, extent: extent) != nil
  }

  func groups(in text: String, extent: TextPattern.Extent) -> [String?]? {
    regex.withLock { regex in
      let match =
        switch extent {
        case .whole: try? regex.wholeMatch(in: text)
        case .anywhere: try? regex.firstMatch(in: text)
        }
      return match?.output.map { $0.substring.map(String.init) }
    }
  }

  /// The greatest depth of groups and sets; escaped brackets count too.
  private static func depth(of text: String) -> Int {
    var depth = 0
    var greatest = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["):
        depth += 1
        greatest = max(greatest, depth)
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth = max(0, depth - 1)
      default: break
      }
    }
    return greatest
  }
}
