import StagecoachCore

/// A JSONPath of WireMock that says where a value is, or which members an element has.
struct WireMockJSONPath {
  /// A value that has to be there, with the rule for others.
  struct Term {
    var path: [RulePath.Step]
    var value: JSONValue
    var rule: JSONValue?
  }

  /// The array one of whose elements meets the terms; `nil` if the content does.
  private(set) var elements: [RulePath.Step]?
  private(set) var terms: [Term] = []
  private let text: String

  /// The path in losses.
  var name: String { "matchesJsonPath (\(text))" }

  /// - Throws: ``WireMockCondition/Loss`` for a path of another kind, or `ManifestNode.Failure`.
  init(_ node: ManifestNode) throws {
    text = try node.value.stringValue ?? node.required("expression").string()
    // Spring Cloud Contract writes `$.['a'].['b']`, and `[*]` before the filter of an array.
    let text = text.replacing(".[", with: "[")
    if let start = text.firstRange(of: "[?("), text.hasSuffix(")]") {
      var place = text[..<start.lowerBound]
      if place.hasSuffix("[*]") { place = place.dropLast(3) }
      let path = try path(String(place))
      guard node.value.stringValue != nil else { throw WireMockCondition.Loss(pattern: name) }
      for part in text[start.upperBound...].dropLast(2).split(separator: "&&") {
        terms.append(try term(part))
      }
      // A filter of the whole is for an object, too.
      elements = path.isEmpty ? nil : path
    } else {
      terms = [try term(at: path(text), node)]
    }
  }

  private func path(_ text: String) throws -> [RulePath.Step] {
    guard let path = try? RulePath(text), !text.contains("("), !text.contains(".."),
      path.steps.allSatisfy({ $0 != .any && $0 != .anyIndex })
    else { throw WireMockCondition.Loss(pattern: name) }
    return path.steps
  }

  /// The condition of a pattern with an expression.
  private func term(at path: [RulePath.Step], _ node: ManifestNode) throws -> Term {
    let exists = Term(path: path, value: "any", rule: WireMockCondition.anything)
    guard var object = node.value.objectValue else { return exists }
    object["expression"] = nil
    guard !object.members.isEmpty else { return exists }
    if let json = object["equalToJson"] {
      let value = try? json.stringValue.map { try JSONValue(parsing: Array($0.utf8)) } ?? json
      guard let value else { throw WireMockCondition.Loss(pattern: name) }
      let isOpen = object["ignoreExtraElements"]?.boolValue == true
      return Term(path: path, value: value, rule: isOpen ? "atLeast" : "equality")
    }
    do {
      let condition = try WireMockCondition(ManifestNode(.object(object), path: node.path))
      return Term(path: path, value: .string(condition.example), rule: condition.listed)
    } catch let loss as WireMockCondition.Loss {
      throw WireMockCondition.Loss(pattern: "matchesJsonPath.\(loss.pattern)")
    }
  }

  /// A comparison in a filter: `@.name == 'x'`, `@.name =~ /x/i` or `@.name`.
  private func term(_ text: Substring) throws -> Term {
    let text = text.trimmingBlanks
    guard text.hasPrefix("@"), !text.contains("||"), !text.contains("!") else {
      throw WireMockCondition.Loss(pattern: name)
    }
    func place(_ text: some StringProtocol) throws -> [RulePath.Step] {
      try path("$" + text.dropFirst().trimmingBlanks)
    }
    if let sign = text.firstRange(of: "==") {
      let literal = String(text[sign.upperBound...]).trimmingBlanks
      let quoted = literal.count > 1 && literal.first == "'" && literal.last == "'"
      let json =
        quoted
        ? .string(String(literal.dropFirst().dropLast())) : try? JSONValue(parsing: Array(literal.utf8))
      guard let json else { throw WireMockCondition.Loss(pattern: name) }
      return Term(path: try place(text[..<sign.lowerBound]), value: json)
    }
    if let sign = text.firstRange(of: "=~") {
      let literal = String(text[sign.upperBound...]).trimmingBlanks
      guard literal.hasPrefix("/"), let end = literal.lastIndex(of: "/"), end > literal.startIndex else {
        throw WireMockCondition.Loss(pattern: name)
      }
      let options = literal[literal.index(after: end)...]
      let pattern = (options.isEmpty ? "" : "(?\(options))") + literal[..<end].dropFirst()
      let example = try WireMockCondition.example(of: pattern)
      return Term(
        path: try place(text[..<sign.lowerBound]),
        value: .string(example),
        rule: WireMockCondition.regex(pattern)
      )
    }
    guard !text.contains("<"), !text.contains(">") else { throw WireMockCondition.Loss(pattern: name) }
    return Term(path: try place(text[...]), value: "any", rule: WireMockCondition.anything)
  }
}
