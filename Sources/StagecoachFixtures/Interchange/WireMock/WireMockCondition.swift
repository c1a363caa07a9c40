import StagecoachCore

/// A condition of WireMock on a text.
struct WireMockCondition {
  /// A pattern, or a part of one, that no rule is like.
  struct Loss: Error {
    let pattern: String
  }

  /// A text that meets the condition.
  let example: String
  /// The condition of the rule; `nil` if the text has to be equal.
  let rule: JSONValue?

  /// - Parameter isUsable: Whether an example can stand where the text is. Several are tried.
  /// - Throws: ``Loss``, or `ManifestNode.Failure` if the condition is malformed.
  init(_ node: ManifestNode, where isUsable: (String) -> Bool = { _ in true }) throws {
    if let value = node.member("equalTo") {
      example = try value.scalarText()
      rule =
        node.value["caseInsensitive"]?.boolValue == true ? Self.regex("(?i)" + Self.escaped(example)) : nil
    } else if let pattern = node.member("matches") {
      let text = try pattern.scalarText()
      example = try Self.example(of: text, isUsable)
      rule = Self.regex(text)
    } else if let part = node.member("contains") {
      let text = try part.scalarText()
      example = isUsable(text) ? text : "- \(text)"
      rule = ["match": "include", "value": .string(text)]
    } else if let list = node.member("and") ?? node.member("or") {
      let conditions = try list.elements().map { try WireMockCondition($0, where: isUsable) }
      guard let first = conditions.first else { throw Loss(pattern: try node.firstKey) }
      example = first.example
      rule = Self.rule(conditions.map(\.listed), isAny: node.member("and") == nil)
    } else if node.value["anything"] != nil {
      (example, rule) = ("any", Self.anything)
    } else {
      throw Loss(pattern: try node.firstKey)
    }
  }

  /// The condition where it stands among others: equality is an expression there.
  var listed: JSONValue { rule ?? Self.regex(Self.escaped(example)) }

  // MARK: Rules

  static func regex(_ text: String) -> JSONValue { ["match": "regex", "regex": .string(text)] }

  static let anything = regex(#"[\s\S]*"#)

  /// One rule for several conditions.
  static func rule(_ conditions: [JSONValue], isAny: Bool = false) -> JSONValue {
    conditions.count == 1
      ? conditions[0] : ["matchers": .array(conditions), "combine": isAny ? "OR" : "AND"]
  }

  /// An expression for a text.
  static func escaped(_ text: some StringProtocol) -> String {
    text.reduce(into: "") { pattern, character in
      if #".+*()[]{}$^|?\"#.contains(character) { pattern += "\\" }
      pattern.append(character)
    }
  }

  /// A text that matches a regular expression.
  static func example(of pattern: String, _ isUsable: (String) -> Bool = { _ in true }) throws -> String {
    do throws(GeneratorError) {
      let sample = try RegexSample(pattern)
      for seed in 1...8 {
        let text = try sample.text(in: GeneratorContext(randomSource: SeededRandom(seed: UInt64(seed))))
        if isUsable(text) { return text }
      }
    } catch {
      throw Loss(pattern: "matches (\(error))")
    }
    throw Loss(pattern: "matches (there is no example of '\(pattern)')")
  }

  /// An expression for the texts that meet the condition, made of other characters than one; `nil` if there is none.
  func expression(without separator: Character) -> String? {
    guard let rule else { return Self.escaped(example) }
    if let pattern = rule["regex"]?.stringValue { return "(?:\(pattern))" }
    guard let part = rule["value"]?.stringValue else { return nil }
    return "[^\(separator)]*\(Self.escaped(part))[^\(separator)]*"
  }
}

extension ManifestNode {
  var firstKey: String { get throws { try members().first?.key ?? "" } }

  /// A text, or what stands for one: WireMock takes numbers, too.
  func scalarText() throws(Failure) -> String {
    switch value {
    case .number, .bool: value.plainText
    default: try string()
    }
  }
}
