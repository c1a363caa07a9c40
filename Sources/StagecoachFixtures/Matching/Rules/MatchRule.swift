/// A part of a message.
package enum MessagePart: String, Sendable, Hashable, CaseIterable {
  /// The method of a request.
  case method
  /// The path of a request.
  case path
  /// The parameters of the query; the first step of a path is the name.
  case query
  /// The header fields; the first step of a path is the name, in any case.
  case header
  /// The status code of a response.
  case status
  /// The body.
  case body
  /// The metadata of a message without HTTP; the first step of a path is the name.
  case metadata
}

/// A rule for a value of a message: a place and the matchers that replace equality there.
///
/// ```swift
/// let rules: MatchRules = [
///   try MatchRule("path", .regex(TextPattern("/users/\\d+"))),
///   try MatchRule("header.X-Request-Id", .notEmpty),
///   try MatchRule("body$.items", .type(min: 1)),
/// ]
/// ```
package struct MatchRule: Sendable, Hashable {
  /// The combination of several matchers.
  package enum Combination: Sendable, Hashable {
    /// All matchers have to match.
    case all
    /// At least one matcher has to match.
    case any
  }

  /// The part of the message.
  package var part: MessagePart
  /// The path inside of the part.
  package var path: RulePath
  /// The matchers.
  package var matchers: [Matcher]
  /// The combination of the matchers.
  package var combination: Combination

  /// Creates a rule.
  package init(
    _ part: MessagePart,
    at path: RulePath = .root,
    matchers: [Matcher],
    combination: Combination = .all
  ) {
    self.part = part
    self.path = path
    self.matchers = matchers
    self.combination = combination
  }

  /// Creates a rule from a key such as `path`, `query.page`, `header.X-Request-Id`, `body$.items[*].id` or
  /// `body/feed/entry/@id`.
  ///
  /// The name of a query parameter, header field or metadata is everything after the dot. A body path starts with `$`
  /// for any format, or with `/` for the names of XML elements.
  ///
  /// - Throws: ``MatchRuleKeyError`` if the key does not name a part of a message, ``RulePathError`` if the path in it
  ///   is malformed.
  package init(_ key: String, _ matchers: Matcher..., combination: Combination = .all) throws {
    let (part, path) = try Self.place(of: key)
    self.init(part, at: path, matchers: matchers, combination: combination)
  }

  /// The part and the path that a key names.
  static func place(of key: String) throws -> (MessagePart, RulePath) {
    if let part = MessagePart(rawValue: key) { return (part, .root) }
    if key.hasPrefix("body$") { return (.body, try RulePath(key.dropFirst(4))) }
    if key.hasPrefix("body/") { return (.body, try RulePath(elements: key.dropFirst(5), in: key)) }
    for part in [MessagePart.query, .header, .metadata] where key.hasPrefix(part.rawValue + ".") {
      let name = key.dropFirst(part.rawValue.utf8.count + 1)
      if !name.isEmpty { return (part, RulePath([.key(String(name))])) }
    }
    throw MatchRuleKeyError(key: key)
  }
}

/// A key of a rule that does not name a part of a message.
package struct MatchRuleKeyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The key.
  package var key: String

  /// A description with the possible keys.
  package var description: String {
    "\"\(key)\" does not name a part of a message: use method, path, query.NAME, header.NAME, status, metadata.NAME, "
      + "body$.PATH or body/PATH"
  }
}

extension RulePath {
  /// A path of element names: `feed/entry[0]/@id`, `feed/*/text()`.
  fileprivate init(elements text: some StringProtocol, in key: String) throws {
    let names = text.split(separator: "/", omittingEmptySubsequences: false)
    guard names.count <= Self.greatestLength, !names.contains(where: \.isEmpty) else {
      throw MatchRuleKeyError(key: key)
    }
    self.init(names.map { $0 == "*" ? .any : .key($0 == "text()" ? "#text" : String($0)) })
  }
}

/// The rules for a message.
package struct MatchRules: Sendable, Hashable {
  /// The rules. If several match a value, the one with the most exact steps is used, and of those the longest.
  package var rules: [MatchRule]

  /// Creates rules.
  package init(_ rules: [MatchRule] = []) {
    self.rules = rules
  }

  /// Whether there are no rules.
  package var isEmpty: Bool { rules.isEmpty }

  /// Adds a rule.
  package mutating func append(_ rule: MatchRule) {
    rules.append(rule)
  }
}

extension MatchRules: ExpressibleByArrayLiteral {
  /// Creates rules.
  package init(arrayLiteral elements: MatchRule...) {
    self.init(elements)
  }
}
